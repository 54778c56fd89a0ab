#![allow(missing_docs, clippy::all, clippy::print_stdout)]
use palestra_core::{Bot, BotSeat, Game, Notes, Seat, play};
use palestra_grifaki::Settings;
use palestra_grifaki::*;
fn bot(name: &str, seat: Seat, seed: u64) -> Box<dyn Bot<Grifaki>> {
    let found = Grifaki::BUILT_INS.iter().find(|b| b.name == name).unwrap();
    (found.make)(BotSeat { seat, seed, argument: None }).unwrap()
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a[1] == "map" {
        let n: Vec<u32> = a[2..5].iter().map(|x| x.parse().unwrap()).collect();
        let m = Grifaki::generate(&Settings::default(), &n, a[5].parse().unwrap()).unwrap();
        print!("{}", Grifaki::write_setup(&m));
        return;
    }
    let (x, y, n) = (&a[1], &a[2], a[3].parse::<u64>().unwrap());
    let (mut w, mut d, mut ticks, mut notes_n, mut limit) = (0, 0, 0u64, 0, 0);
    for seed in 0..n {
        let map = Grifaki::generate(&Settings::default(), &[20, 20, 2], seed).unwrap();
        for swap in [false, true] {
            let names = if swap { [y, x] } else { [x, y] };
            let mut state = Grifaki::start(&Settings::default(), &map, seed).unwrap();
            let mut bots: Vec<_> =
                names.iter().enumerate().map(|(i, n)| bot(n, Seat::at(i), seed * 100 + i as u64)).collect();
            let mut notes = Notes::kept();
            if a.len() > 5 && a[5].parse::<u64>().unwrap() == seed && swap == (a[6] == "1") {
                while Grifaki::to_move(&state).is_some() {
                    let f = Grifaki::frame(Grifaki::view(&state, palestra_core::Eye::Spectator));
                    let big = |o: u8| { let mut v: Vec<u32> = f.units.iter().zip(&f.owners).filter(|x| *x.1 == o).map(|x| *x.0).collect(); v.sort(); v.reverse(); v.truncate(4); v };
                    let caps: Vec<_> = f.capitals.iter().map(|c| { let at = c.at[0] as usize * 20 + c.at[1] as usize; (c.original.number(), f.owners[at], f.units[at]) }).collect();
                    println!("t{} land {:?} army {:?} cities {:?} big {:?} {:?} caps {:?} last {:?}", f.tick, f.players.iter().map(|p| p.land.unwrap()).collect::<Vec<_>>(), f.players.iter().map(|p| p.army.unwrap()).collect::<Vec<_>>(), f.players.iter().map(|p| p.cities.unwrap()).collect::<Vec<_>>(), big(1), big(2), caps, f.last_action.map(|l| (l.seat.number(), l.from, l.to, l.moved, l.built)));
                    play::play::<Grifaki>(&mut state, &mut bots, &mut notes, a[7].parse().unwrap());
                }
            }
            play::play::<Grifaki>(&mut state, &mut bots, &mut notes, u64::MAX);
            let o = Grifaki::outcome(&state).unwrap();
            ticks += Grifaki::rounds(&state) as u64;
            notes_n += notes.list().len();
            if let Some(nn) = notes.list().first() {
                println!("note {} {}", nn.seat, nn.text);
            }
            if Grifaki::rounds(&state) == 4000 {
                limit += 1;
            }
            match o.winner {
                Some(s) if (s.index() == 0) != swap => w += 1,
                None => d += 1,
                _ => {
                    if a.len() > 4 {
                        println!(
                            "lost seed {seed} swap {swap} ticks {} {:?}",
                            Grifaki::rounds(&state),
                            o.placings.iter().map(|p| p.reason.clone()).collect::<Vec<_>>()
                        );
                    }
                }
            }
        }
    }
    println!(
        "{x} vs {y}: {w} wins, {d} draws of {} ; mean ticks {} limit {limit} notes {notes_n}",
        2 * n,
        ticks / (2 * n)
    );
}
