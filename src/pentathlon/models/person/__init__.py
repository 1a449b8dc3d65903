"""A person in an agent's place: a page of this machine shows what an agent would see and takes what it would choose."""

from pentathlon.models.person.desk import Desk
from pentathlon.models.person.logbook import Logbook
from pentathlon.models.person.views import Choice, Group, View

__all__ = ["Choice", "Desk", "Group", "Logbook", "View"]
