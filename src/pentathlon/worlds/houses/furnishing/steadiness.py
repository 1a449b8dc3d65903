"""Whether a loose thing stands still where it is put: tried once per variant, on a level board."""

from __future__ import annotations

import mujoco
import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.to_mujoco import AssetWriter

TIMESTEP_S = 0.004
TRIAL_S = 1.2
LIFT_M = 0.0005
STILL_M = 0.008


def stands_still(asset: Asset) -> bool:
    """Tells whether the asset, set down on a board, neither tips, slides nor rolls."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = TIMESTEP_S
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[2.0, 2.0, 0.05], pos=[0.0, 0.0, -0.05])
    base_m = LIFT_M - min(0.0, float(asset.bounds_m[0][2]))
    AssetWriter(spec).add(asset, "thing", (0.0, 0.0, base_m), free=True)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=round(TRIAL_S / TIMESTEP_S))
    drift_m = float(np.linalg.norm(data.body("thing").xpos - (0.0, 0.0, base_m)))
    upright = float(data.body("thing").xmat[8])
    return drift_m < STILL_M and upright > 0.995
