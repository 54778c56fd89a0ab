//! A slow and obviously right version of a whole tick, written from the rule book and from nothing else: units in a
//! list, looked for from the beginning every time, and the text read word by word.

/// A match.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) size: i32,
    pub(crate) first_unit_ticks: u64,
    pub(crate) growth: u64,
    pub(crate) one_base: [u64; 2],
    pub(crate) two_bases: [u64; 2],
    pub(crate) hold_ticks: u32,
    pub(crate) max_ticks: u32,
    pub(crate) max_missed: u32,
    pub(crate) tick: u32,
    pub(crate) units: Vec<Unit>,
    pub(crate) last_id: u32,
    pub(crate) sides: [Side; 2],
    /// Owners of (size - 1, 0) and (0, size - 1) by side.
    pub(crate) bases: [Option<usize>; 2],
    /// 0 and 1 are sides, 2 is a draw.
    pub(crate) result: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) id: u32,
    pub(crate) side: usize,
    pub(crate) kind: char,
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) moved: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) finished: u64,
    pub(crate) kind: Option<char>,
    pub(crate) rock: u64,
    pub(crate) paper: u64,
    pub(crate) scissors: u64,
    pub(crate) hold: u32,
    pub(crate) missed: u32,
    pub(crate) ignored: u32,
}

impl Reference {
    pub(crate) fn usual(size: i32) -> Reference {
        Reference {
            size,
            first_unit_ticks: 10,
            growth: 1,
            one_base: [3, 4],
            two_bases: [1, 2],
            hold_ticks: 20,
            max_ticks: 4000,
            max_missed: 40,
            tick: 1,
            units: Vec::new(),
            last_id: 0,
            sides: [Side::default(), Side::default()],
            bases: [None, None],
            result: None,
        }
    }

    /// 0 is the starter.
    pub(crate) fn mover(&self) -> usize {
        if self.tick % 2 == 1 { 0 } else { 1 }
    }

    /// A tick with an answer, given as text without its last line, or without one.
    pub(crate) fn play(&mut self, answer: Option<&str>) {
        let mover = self.mover();
        match answer {
            Some(text) => {
                self.sides[mover].missed = 0;
                self.orders(mover, text);
            }
            None => self.sides[mover].missed += 1,
        }
        self.production(mover);
        self.victory(mover);
        self.tick += 1;
    }

    fn orders(&mut self, mover: usize, text: &str) {
        for unit in &mut self.units {
            unit.moved = false;
        }
        for line in text.split('\n') {
            let words: Vec<&str> = line.split_whitespace().collect();
            if words.is_empty() || ["pong", "opponent", "login"].contains(&words[0]) {
                continue;
            }
            if words.len() == 2 && words[0] == "prod" && ["R", "P", "S"].contains(&words[1]) {
                self.sides[mover].kind = words[1].chars().next();
                continue;
            }
            let readable = words.len() == 2 && words[0].parse::<u32>().is_ok();
            let step = match words.get(1) {
                Some(&"left") => Some((-1, 0)),
                Some(&"right") => Some((1, 0)),
                Some(&"up") => Some((0, -1)),
                Some(&"down") => Some((0, 1)),
                _ => None,
            };
            match step {
                Some((dx, dy)) if readable => {
                    let turn = if mover == 0 { 1 } else { -1 };
                    self.order(mover, words[0].parse().unwrap(), dx * turn, dy * turn);
                }
                _ => self.sides[mover].ignored += 1,
            }
        }
    }

    fn order(&mut self, mover: usize, id: u32, dx: i32, dy: i32) {
        let found = self.units.iter().position(|unit| unit.id == id && unit.side == mover && !unit.moved);
        let Some(index) = found else {
            self.sides[mover].ignored += 1;
            return;
        };
        self.units[index].moved = true;
        let unit = self.units[index].clone();
        let (x, y) = (unit.x + dx, unit.y + dy);
        if x < 0 || y < 0 || x >= self.size || y >= self.size {
            return;
        }
        if let Some(other) = self.units.iter().find(|other| other.x == x && other.y == y).cloned() {
            if other.side == mover {
                return;
            }
            let attacker_wins = matches!((unit.kind, other.kind), ('R', 'S') | ('S', 'P') | ('P', 'R'));
            if unit.kind == other.kind {
                self.units.retain(|one| one.id != unit.id && one.id != other.id);
                return;
            }
            if !attacker_wins {
                self.units.retain(|one| one.id != unit.id);
                return;
            }
            self.units.retain(|one| one.id != other.id);
        }
        for one in &mut self.units {
            if one.id == unit.id {
                one.x = x;
                one.y = y;
            }
        }
        if (x, y) == (self.size - 1, 0) {
            self.bases[0] = Some(mover);
        }
        if (x, y) == (0, self.size - 1) {
            self.bases[1] = Some(mover);
        }
    }

    fn factory(&self, side: usize) -> (i32, i32) {
        if side == 0 { (0, 0) } else { (self.size - 1, self.size - 1) }
    }

    fn unit_at(&self, (x, y): (i32, i32)) -> Option<&Unit> {
        self.units.iter().find(|unit| unit.x == x && unit.y == y)
    }

    fn production(&mut self, mover: usize) {
        let factory_empty = self.unit_at(self.factory(mover)).is_none();
        let held = self.bases.iter().filter(|owner| **owner == Some(mover)).count();
        let factor = match held {
            0 => [1, 1],
            1 => self.one_base,
            _ => self.two_bases,
        };
        let (x, y) = self.factory(mover);
        let side = &mut self.sides[mover];
        let Some(kind) = side.kind else { return };
        let needed = (self.first_unit_ticks + self.growth * side.finished) * factor[0] / factor[1];
        let counter = match kind {
            'R' => &mut side.rock,
            'P' => &mut side.paper,
            _ => &mut side.scissors,
        };
        *counter += 1;
        if *counter >= needed && factory_empty {
            *counter = 0;
            side.finished += 1;
            self.last_id += 1;
            self.units.push(Unit { id: self.last_id, side: mover, kind, x, y, moved: false });
        }
    }

    fn victory(&mut self, mover: usize) {
        for side in 0..2 {
            let enemy = 1 - side;
            let stands = self.unit_at(self.factory(enemy)).is_some_and(|unit| unit.side == side);
            self.sides[side].hold = if stands { self.sides[side].hold + 1 } else { 0 };
            let alone = !self.units.iter().any(|unit| unit.side == enemy);
            if self.sides[side].hold >= self.hold_ticks || (stands && alone) {
                assert_eq!(self.result, None, "two winners");
                self.result = Some(side);
            }
        }
        if self.result.is_none() && self.sides[mover].missed >= self.max_missed {
            self.result = Some(1 - mover);
        }
        if self.result.is_none() && self.tick == self.max_ticks {
            self.result = Some(2);
        }
    }

    /// What a side is sent.
    pub(crate) fn packet(&self, side: usize) -> String {
        let far = self.size - 1;
        let mut units = self.units.clone();
        units.sort_by_key(|unit| unit.id);
        let mut text = format!("tick {}\nversus {}\nsoldiers {}\n", self.tick, 2 - side, units.len());
        for unit in &units {
            let whose = if unit.side == side { 'A' } else { 'E' };
            let (x, y) = if side == 0 { (unit.x, unit.y) } else { (far - unit.x, far - unit.y) };
            text += &format!("{} {whose} {} {x} {y}\n", unit.id, unit.kind);
        }
        let whose = |base: usize| match self.bases[base] {
            None => 'N',
            Some(owner) if owner == side => 'A',
            Some(_) => 'E',
        };
        let (right, below) = if side == 0 { (0, 1) } else { (1, 0) };
        text += &format!("base r {}\nbase d {}\n", whose(right), whose(below));
        let Side { finished, rock, paper, scissors, .. } = self.sides[side];
        text +=
            &format!("prod {} {rock} {paper} {scissors}\n", self.first_unit_ticks + self.growth * finished);
        match self.result {
            None => {}
            Some(2) => text += "finished draw\n",
            Some(winner) if winner == side => text += "finished victory\n",
            Some(_) => text += "finished defeat\n",
        }
        text + ".\n"
    }
}
