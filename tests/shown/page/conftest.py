import pytest

from gammon.reviews.review import Review, review
from tests.matches import HAND, MATCH5_SGF


@pytest.fixture(scope="package")
def hand() -> Review:
    return review(HAND, depth=1, rollout_over=0.08, trials=36)


@pytest.fixture(scope="package")
def match5() -> Review:
    return review(MATCH5_SGF, depth=1)
