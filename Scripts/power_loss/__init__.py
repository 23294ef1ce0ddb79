"""The explorer of losses of power: `Scripts/power-loss` says what it does, each module what it is for."""
