//! Orders of variables by FORCE \[AMS03\]: every edge pulls its items towards their common centre, and the items are
//! sorted anew by where they are pulled, until the edges stop getting shorter.

/// The most rounds; it settles long before on most programs.
const ROUNDS: usize = 40;

/// The items 0 … `count` - 1 in an order in which the edges are short.
#[must_use]
pub fn force(count: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut best = order.clone();
    let mut shortest = total_span(&positions(&order), edges);
    for _ in 0..ROUNDS {
        order = pulled(&positions(&order), edges);
        let span = total_span(&positions(&order), edges);
        if span >= shortest {
            break;
        }
        shortest = span;
        best.clone_from(&order);
    }
    best
}

fn positions(order: &[usize]) -> Vec<usize> {
    let mut positions = vec![0; order.len()];
    for (position, &item) in order.iter().enumerate() {
        positions[item] = position;
    }
    positions
}

fn total_span(positions: &[usize], edges: &[Vec<usize>]) -> usize {
    let span = |edge: &Vec<usize>| {
        let places = edge.iter().map(|&item| positions[item]);
        let (low, high) =
            places.fold((usize::MAX, 0), |(low, high), place| (low.min(place), high.max(place)));
        high.saturating_sub(low)
    };
    edges.iter().map(span).sum()
}

/// The items sorted by the mean centre of the edges they are in; an item in no edge stays where it is.
fn pulled(positions: &[usize], edges: &[Vec<usize>]) -> Vec<usize> {
    let mut pulls = vec![(0.0_f64, 0_u32); positions.len()];
    for edge in edges {
        let centre = edge.iter().map(|&item| positions[item] as f64).sum::<f64>() / edge.len() as f64;
        for &item in edge {
            pulls[item].0 += centre;
            pulls[item].1 += 1;
        }
    }
    let place = |item: usize| match pulls[item] {
        (_, 0) => positions[item] as f64,
        (sum, number) => sum / f64::from(number),
    };
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by(|&a, &b| place(a).total_cmp(&place(b)).then(positions[a].cmp(&positions[b])));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn force_brings_partners_together() {
        // Declared a1 … a8, b1 … b8, and each statement relates a_i and b_i.
        let edges: Vec<Vec<usize>> = (0..8).map(|i| vec![i, i + 8]).collect();
        let order = force(16, &edges);
        let places = positions(&order);
        assert_eq!(total_span(&places, &edges), 8, "{order:?}");
    }

    #[test]
    fn force_keeps_an_order_that_cannot_be_better() {
        let edges: Vec<Vec<usize>> = (0..7).map(|i| vec![i, i + 1]).collect();
        assert_eq!(force(8, &edges), (0..8).collect::<Vec<_>>());
    }
}
