//! The little linear algebra that a fit needs: positive definite systems, dense and as a product with a vector.

use super::limits;

/// Sums kept side by side, so that the processor can work on several at once.
const LANES: usize = 8;

/// The lower triangle `L` of a positive definite matrix `L L'`.
pub(super) struct Cholesky {
    size: usize,
    /// Row by row; what is right of the diagonal is never looked at.
    rows: Vec<f64>,
}

impl Cholesky {
    /// Takes a symmetric matrix apart, given row by row; only its lower triangle is read.
    ///
    /// # Panics
    /// If the matrix is not positive definite.
    pub(super) fn new(size: usize, mut rows: Vec<f64>) -> Cholesky {
        for i in 0..size {
            let (above, own) = rows.split_at_mut(i * size);
            for j in 0..i {
                let other = &above[j * size..][..=j];
                own[j] = (own[j] - dot(&own[..j], &other[..j])) / other[j];
            }
            let pivot = own[i] - dot(&own[..i], &own[..i]);
            assert!(pivot > 0.0, "the matrix is not positive definite at row {i}");
            own[i] = pivot.sqrt();
        }
        Cholesky { size, rows }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.size..][..=i]
    }

    /// The `x` of `L L' x = b`.
    pub(super) fn solve(&self, mut b: Vec<f64>) -> Vec<f64> {
        for i in 0..self.size {
            let row = self.row(i);
            b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
        }
        for i in (0..self.size).rev() {
            let row = self.row(i);
            b[i] /= row[i];
            let own = b[i];
            for (b, entry) in b[..i].iter_mut().zip(row) {
                *b -= entry * own;
            }
        }
        b
    }

    /// The diagonal of the inverse: the lengths of the columns of the inverse of `L`, several at a time.
    pub(super) fn inverse_diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.size];
        for start in (0..self.size).step_by(LANES) {
            let mut columns = vec![[0.0; LANES]; self.size - start];
            let mut squares = [0.0; LANES];
            for i in start..self.size {
                let row = &self.row(i)[start..];
                let mut entry = [0.0; LANES];
                if i - start < LANES {
                    entry[i - start] = 1.0;
                }
                for (factor, column) in row.iter().zip(&columns[..i - start]) {
                    for lane in 0..LANES {
                        entry[lane] -= factor * column[lane];
                    }
                }
                for lane in 0..LANES {
                    entry[lane] /= row[i - start];
                    squares[lane] += entry[lane] * entry[lane];
                }
                columns[i - start] = entry;
            }
            for (entry, square) in diagonal[start..].iter_mut().zip(squares) {
                *entry = square;
            }
        }
        diagonal
    }
}

/// The `x` of `A x = b` for a positive definite `A` of which the products and the diagonal are known: conjugate
/// gradients, until what is left of `b` is `tolerance` of it.
pub(super) fn conjugate_gradients(
    multiply: impl Fn(&[f64], &mut [f64]),
    diagonal: &[f64],
    b: &[f64],
    tolerance: f64,
) -> Vec<f64> {
    let precondition = |residual: &[f64]| -> Vec<f64> {
        residual.iter().zip(diagonal).map(|(residual, diagonal)| residual / diagonal).collect()
    };
    let mut x = vec![0.0; b.len()];
    let mut residual = b.to_vec();
    let mut scaled = precondition(&residual);
    let mut direction = scaled.clone();
    let mut image = vec![0.0; b.len()];
    let mut left = dot(&residual, &scaled);
    let enough = left * tolerance * tolerance;
    for _ in 0..limits::GRADIENT_ROUNDS_PER_PARAMETER * b.len() {
        if left <= enough {
            break;
        }
        multiply(&direction, &mut image);
        let step = left / dot(&direction, &image);
        for i in 0..b.len() {
            x[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        scaled = precondition(&residual);
        let now = dot(&residual, &scaled);
        for (direction, scaled) in direction.iter_mut().zip(&scaled) {
            *direction = scaled + now / left * *direction;
        }
        left = now;
    }
    x
}

/// The sum of products, in an order that is always the same.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (a_lanes, b_lanes) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_lanes.zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::{Cholesky, conjugate_gradients};
    use proptest::prelude::*;

    /// A positive definite matrix: the square of a random one, and a little more on the diagonal.
    fn matrix() -> impl Strategy<Value = (usize, Vec<f64>)> {
        (1_usize..30).prop_flat_map(|size| {
            proptest::collection::vec(-1.0..1.0_f64, size * size).prop_map(move |root| {
                let entry = |i: usize, j: usize| {
                    let product: f64 = (0..size).map(|k| root[i * size + k] * root[j * size + k]).sum();
                    product + if i == j { 0.5 } else { 0.0 }
                };
                (size, (0..size * size).map(|at| entry(at / size, at % size)).collect())
            })
        })
    }

    fn product(size: usize, matrix: &[f64], x: &[f64], image: &mut [f64]) {
        for i in 0..size {
            image[i] = (0..size).map(|j| matrix[i * size + j] * x[j]).sum();
        }
    }

    proptest! {
        #[test]
        fn all_ways_to_solve_agree((size, matrix) in matrix()) {
            let cholesky = Cholesky::new(size, matrix.clone());
            let diagonal = cholesky.inverse_diagonal();
            let own_diagonal: Vec<f64> = (0..size).map(|i| matrix[i * size + i]).collect();
            for i in 0..size {
                let mut unit = vec![0.0; size];
                unit[i] = 1.0;
                let x = cholesky.solve(unit.clone());
                prop_assert!((x[i] - diagonal[i]).abs() < 1e-8 * diagonal[i]);
                let multiply = |x: &[f64], image: &mut [f64]| product(size, &matrix, x, image);
                let y = conjugate_gradients(multiply, &own_diagonal, &unit, 1e-12);
                let mut image = vec![0.0; size];
                for solution in [&x, &y] {
                    product(size, &matrix, solution, &mut image);
                    for (image, unit) in image.iter().zip(&unit) {
                        prop_assert!((image - unit).abs() < 1e-8);
                    }
                }
            }
        }
    }
}
