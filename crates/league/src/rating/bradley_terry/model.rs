//! The log-likelihood of a tally and its derivatives. It is concave in all parameters together, so its top is found by
//! going up.

use super::{FitSettings, pair_weight};
use crate::rating::tally::Comparison;

/// Two bots in one seating, and the weight of their results.
struct Pair {
    earlier: u32,
    later: u32,
    wins: f64,
    draws: f64,
    losses: f64,
}

/// Parameters are the strengths of all bots, then the worth of the earlier seat, then the logarithm of `draw`.
pub(super) struct Model {
    bots: usize,
    pairs: Vec<Pair>,
    virtual_games: f64,
    fits_first: bool,
    fits_draw: bool,
}

/// The value of the log-likelihood, virtual games included, at some parameters, its slope, and minus its curvature.
pub(super) struct Derivatives {
    value: f64,
    gradient: Vec<f64>,
    diagonal: Vec<f64>,
    /// What ties the two strengths of each pair together.
    links: Vec<f64>,
    /// What ties each bot's strength to the two other parameters.
    border: Vec<[f64; 2]>,
    /// What ties these two together.
    corner: f64,
    /// What virtual games add to the diagonal.
    virtual_diagonal: Vec<f64>,
}

impl Model {
    pub(super) fn new(bots: usize, met: &[Comparison], settings: &FitSettings) -> Model {
        let pairs: Vec<Pair> = met
            .iter()
            .map(|met| {
                let weight = pair_weight(met.table);
                Pair {
                    earlier: met.earlier as u32,
                    later: met.later as u32,
                    wins: weight * f64::from(met.wins),
                    draws: weight * f64::from(met.draws),
                    losses: weight * f64::from(met.losses),
                }
            })
            .collect();
        let fits_first = settings.first_mover && !pairs.is_empty();
        let fits_draw = pairs.iter().any(|pair| pair.draws > 0.0);
        Model { bots, pairs, virtual_games: settings.virtual_games, fits_first, fits_draw }
    }

    pub(super) fn size(&self) -> usize {
        self.bots + 2
    }

    /// Which parameter is the worth of the earlier seat.
    pub(super) fn first(&self) -> usize {
        self.bots
    }

    pub(super) fn fits_first_mover(&self) -> bool {
        self.fits_first
    }

    /// The draw parameter itself.
    pub(super) fn draw(&self, parameters: &[f64]) -> f64 {
        if self.fits_draw { parameters[self.bots + 1].exp() } else { 0.0 }
    }

    /// Everybody equal.
    pub(super) fn start(&self) -> Vec<f64> {
        vec![0.0; self.size()]
    }

    /// The log-likelihood without virtual games.
    pub(super) fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        let (draw, log_draw) = (self.draw(parameters), parameters[self.bots + 1]);
        self.pairs
            .iter()
            .map(|pair| {
                let lead = self.lead(pair, parameters);
                let all = (lead / 2.0).exp() + (-lead / 2.0).exp() + draw;
                pair.points() * lead + pair.draws * log_draw - pair.games() * all.ln()
            })
            .sum()
    }

    fn lead(&self, pair: &Pair, parameters: &[f64]) -> f64 {
        parameters[pair.earlier as usize] - parameters[pair.later as usize] + parameters[self.bots]
    }

    pub(super) fn derivatives(&self, parameters: &[f64]) -> Derivatives {
        let (bots, draw) = (self.bots, self.draw(parameters));
        let log_draw = parameters[bots + 1];
        let mut all = self.virtual_derivatives(parameters);
        let (mut first_slope, mut first_bend, mut draw_slope, mut draw_bend) = (0.0, 0.0, 0.0, 0.0);
        for pair in &self.pairs {
            let (earlier, later) = (pair.earlier as usize, pair.later as usize);
            let (games, lead) = (pair.games(), self.lead(pair, parameters));
            let win = (lead / 2.0).exp();
            let loss = 1.0 / win;
            let sum = win + loss + draw;
            let (win, drawn, loss) = (win / sum, draw / sum, loss / sum);

            // Half of wins minus losses is what the lead is about; its mean and variance give slope and curvature.
            let mean = (win - loss) / 2.0;
            let slope = pair.points() - games * mean;
            let bend = games * ((win + loss) / 4.0 - mean * mean);
            let with_draw = -games * mean * drawn;
            all.value += pair.points() * lead + pair.draws * log_draw - games * sum.ln();
            all.gradient[earlier] += slope;
            all.gradient[later] -= slope;
            all.diagonal[earlier] += bend;
            all.diagonal[later] += bend;
            all.links.push(bend);
            all.border[earlier][0] += bend;
            all.border[later][0] -= bend;
            all.border[earlier][1] += with_draw;
            all.border[later][1] -= with_draw;
            all.corner += with_draw;
            first_slope += slope;
            first_bend += bend;
            draw_slope += pair.draws - games * drawn;
            draw_bend += games * drawn * (1.0 - drawn);
        }
        all.gradient[bots] += first_slope;
        all.diagonal[bots] += first_bend;
        all.gradient[bots + 1] += draw_slope;
        all.diagonal[bots + 1] += draw_bend;
        if !self.fits_first {
            all.hold(bots, 0);
        }
        if !self.fits_draw {
            all.hold(bots + 1, 1);
        }
        all
    }

    /// The part of games that were not played: half won, half lost.
    fn virtual_derivatives(&self, parameters: &[f64]) -> Derivatives {
        let size = self.size();
        let mut all = Derivatives {
            value: 0.0,
            gradient: vec![0.0; size],
            diagonal: vec![0.0; size],
            links: Vec::with_capacity(self.pairs.len()),
            border: vec![[0.0; 2]; self.bots],
            corner: 0.0,
            virtual_diagonal: vec![0.0; size],
        };
        for (at, parameter) in parameters.iter().enumerate() {
            // A game of equals is drawn with probability 1/2 where the draw parameter is 2.
            let middle = if at == self.bots + 1 { std::f64::consts::LN_2 } else { 0.0 };
            let half = (parameter - middle) / 2.0;
            all.value -= self.virtual_games * (2.0 * half.cosh()).ln();
            all.gradient[at] = -self.virtual_games / 2.0 * half.tanh();
            all.virtual_diagonal[at] = self.virtual_games / 4.0 / half.cosh().powi(2);
            all.diagonal[at] = all.virtual_diagonal[at];
        }
        all
    }
}

impl Pair {
    fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    fn points(&self) -> f64 {
        (self.wins - self.losses) / 2.0
    }
}

impl Derivatives {
    pub(super) fn value(&self) -> f64 {
        self.value
    }

    pub(super) fn gradient(&self) -> &[f64] {
        &self.gradient
    }

    pub(super) fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// Keeps one of the last two parameters where it is.
    fn hold(&mut self, parameter: usize, column: usize) {
        self.gradient[parameter] = 0.0;
        self.diagonal[parameter] = 1.0;
        self.border.iter_mut().for_each(|row| row[column] = 0.0);
        self.corner = 0.0;
    }

    /// The curvature, its sign turned, times a vector.
    pub(super) fn multiply(&self, model: &Model, x: &[f64], image: &mut [f64]) {
        let bots = self.border.len();
        let [first, draw] = [x[bots], x[bots + 1]];
        let [mut first_image, mut draw_image] = [
            self.diagonal[bots] * first + self.corner * draw,
            self.diagonal[bots + 1] * draw + self.corner * first,
        ];
        for (bot, border) in self.border.iter().enumerate() {
            image[bot] = self.virtual_diagonal[bot] * x[bot] + border[0] * first + border[1] * draw;
            first_image += border[0] * x[bot];
            draw_image += border[1] * x[bot];
        }
        for (pair, link) in model.pairs.iter().zip(&self.links) {
            let (earlier, later) = (pair.earlier as usize, pair.later as usize);
            let pull = link * (x[earlier] - x[later]);
            image[earlier] += pull;
            image[later] -= pull;
        }
        image[bots] = first_image;
        image[bots + 1] = draw_image;
    }

    /// The curvature, its sign turned, as a matrix row by row: its lower triangle.
    pub(super) fn information(&self, model: &Model) -> Vec<f64> {
        let bots = self.border.len();
        let size = bots + 2;
        let mut rows = vec![0.0; size * size];
        for (at, entry) in self.diagonal.iter().enumerate() {
            rows[at * size + at] = *entry;
        }
        for (pair, link) in model.pairs.iter().zip(&self.links) {
            let (low, high) = (pair.earlier.min(pair.later) as usize, pair.earlier.max(pair.later) as usize);
            rows[high * size + low] -= link;
        }
        for (bot, border) in self.border.iter().enumerate() {
            rows[bots * size + bot] = border[0];
            rows[(bots + 1) * size + bot] = border[1];
        }
        rows[(bots + 1) * size + bots] = self.corner;
        rows
    }
}
