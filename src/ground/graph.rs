//! Graphs given by their successors: strongly connected components \[Tar72\].

/// The strongly connected components of a graph, by Tarjan's algorithm with a stack of its own.
///
/// `successors` gives the successors of a node by their numbers. Returns the number of each node's component;
/// a component has a larger number than every other component it leads to.
pub fn components<S: AsRef<[usize]>>(count: usize, successors: impl Fn(usize) -> S) -> Vec<usize> {
    let mut search = Search {
        order: vec![0; count],
        low: vec![0; count],
        component: vec![OPEN; count],
        open: Vec::new(),
        discovered: 0,
        closed: 0,
    };
    for node in 0..count {
        if search.order[node] == 0 {
            search.visit(node, &successors);
        }
    }
    search.component
}

const OPEN: usize = usize::MAX;

struct Search {
    /// The order of discovery, from 1; 0 is undiscovered.
    order: Vec<usize>,
    low: Vec<usize>,
    component: Vec<usize>,
    /// Discovered nodes whose component is open.
    open: Vec<usize>,
    discovered: usize,
    closed: usize,
}

impl Search {
    fn discover(&mut self, node: usize) {
        self.discovered += 1;
        self.order[node] = self.discovered;
        self.low[node] = self.discovered;
        self.open.push(node);
    }

    fn visit<S: AsRef<[usize]>>(&mut self, root: usize, successors: &impl Fn(usize) -> S) {
        self.discover(root);
        let mut stack = vec![(root, successors(root), 0)];
        while let Some((node, next, position)) = stack.last_mut() {
            let node = *node;
            if let Some(&successor) = next.as_ref().get(*position) {
                *position += 1;
                if self.order[successor] == 0 {
                    self.discover(successor);
                    stack.push((successor, successors(successor), 0));
                } else if self.component[successor] == OPEN {
                    self.low[node] = self.low[node].min(self.order[successor]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, ..)) = stack.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.order[node] {
                self.close(node);
            }
        }
    }

    fn close(&mut self, root: usize) {
        while let Some(node) = self.open.pop() {
            self.component[node] = self.closed;
            if node == root {
                break;
            }
        }
        self.closed += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reachability by brute force.
    fn reaches(edges: &[Vec<usize>]) -> Vec<Vec<bool>> {
        let count = edges.len();
        let mut reach: Vec<Vec<bool>> = (0..count).map(|a| (0..count).map(|b| a == b).collect()).collect();
        for (a, targets) in edges.iter().enumerate() {
            targets.iter().for_each(|&b| reach[a][b] = true);
        }
        for middle in 0..count {
            for a in 0..count {
                for b in 0..count {
                    reach[a][b] |= reach[a][middle] && reach[middle][b];
                }
            }
        }
        reach
    }

    #[test]
    fn components_are_mutual_reachability_in_topological_order() {
        // Every graph of four nodes.
        for graph in 0..1_u32 << 16 {
            let edges: Vec<Vec<usize>> =
                (0..4).map(|a| (0..4).filter(|b| graph >> (4 * a + b) & 1 == 1).collect()).collect();
            let found = components(4, |node| &edges[node]);
            let reach = reaches(&edges);
            for a in 0..4 {
                for b in 0..4 {
                    assert_eq!(found[a] == found[b], reach[a][b] && reach[b][a], "{edges:?}");
                    assert!(!reach[a][b] || found[a] >= found[b], "{edges:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let found = components(1_000_000, |node| if node + 1 < 1_000_000 { vec![node + 1] } else { vec![] });
        assert_eq!(found[0], 999_999);
    }
}
