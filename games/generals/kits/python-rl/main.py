"""The trained policy as a bot: palestra play generals mybot greedy"""

from pathlib import Path

import palestra
from policy import load, policy

palestra.run_bot(policy(load(Path(__file__).with_name("weights.json"))), "generals")
