"""Match analysis: what each decision of a match cost, and how lucky its dice were."""
