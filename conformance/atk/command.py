"""Where installations made before the survey moved look for its command."""

from conformance.survey_command import add_command as add_command
