"""The trained policy as a bot: palestra play generals mybot greedy"""

from pathlib import Path

import palestra
from palestra import ppo
from policy import describe

palestra.run_bot(ppo.policy(ppo.load(Path(__file__).with_name("weights.json")), describe), "generals")
