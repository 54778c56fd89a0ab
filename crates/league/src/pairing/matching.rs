//! Everybody gets a partner, at the least total cost: Edmonds' blossom algorithm on the complete graph.
//!
//! Every vertex has a price. An edge is *tight* when its cost equals the prices of its ends; only tight edges are used. In
//! each stage alternating trees grow from all unmatched vertices at once. A node of a tree is *outer* if it is at an even
//! distance from the root, and *inner* otherwise; prices of outer vertices go up and of inner ones down until something
//! becomes tight: a tree grows, two trees meet and the path between their roots is turned over, or an odd cycle closes and
//! becomes a *blossom*, which is a node from then on. Blossoms have prices too, and fall apart when theirs is used up.
//!
//! Costs are doubled, so that every step of a price is a whole number. A stage takes O(n²) steps but for rare rescans.

/// An edge, from a vertex of one node to a vertex of another.
type Edge = (usize, usize);

/// The partner of each of an even number of vertices, so that the sum of the costs is least.
pub(super) fn cheapest_matching(vertices: usize, cost: impl Fn(usize, usize) -> i128) -> Vec<usize> {
    assert!(vertices.is_multiple_of(2), "an odd number of vertices cannot be matched");
    let mut costs = vec![0; vertices * vertices];
    for one in 0..vertices {
        for other in one + 1..vertices {
            let doubled = 2 * cost(one, other);
            (costs[one * vertices + other], costs[other * vertices + one]) = (doubled, doubled);
        }
    }
    let mut forest = Forest::new(vertices, costs);
    for _ in 0..vertices / 2 {
        forest.match_one_more();
    }
    forest.mate.into_iter().map(|mate| mate.expect("everybody is matched")).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// In no tree.
    Free,
    Outer,
    /// With the tight edge that leads here from an outer node above.
    Inner(Edge),
}

/// A vertex, or a blossom: an odd cycle of nodes.
struct Node {
    label: Label,
    price: i128,
    /// The vertex that is matched outside of this node, or unmatched.
    base: usize,
    /// The nodes of the cycle; the first has the base, and from there on two by two are matched.
    petals: Vec<usize>,
    /// The edge from each petal to the next, the last one to the first.
    links: Vec<Edge>,
}

struct Forest {
    vertices: usize,
    costs: Vec<i128>,
    /// Vertices, then blossoms.
    nodes: Vec<Node>,
    /// Places in `nodes` of blossoms that fell apart.
    spare: Vec<usize>,
    mate: Vec<Option<usize>>,
    /// The outermost node around each vertex.
    top: Vec<usize>,
    /// For each vertex that is not inner, the outer vertex of another node with the least slack to it.
    nearest: Vec<Option<usize>>,
}

/// What becomes possible next.
enum Event {
    /// An edge from an outer vertex to one that is not inner became tight.
    Tight(Edge),
    /// The price of an inner blossom is used up.
    Empty(usize),
}

impl Forest {
    fn new(vertices: usize, costs: Vec<i128>) -> Forest {
        // Half the least cost each: nothing is over its price, and some edge is tight.
        let edges = (0..vertices).flat_map(|one| (0..one).map(move |other| one * vertices + other));
        let price = edges.map(|edge| costs[edge]).min().unwrap_or(0) / 2;
        let vertex = |base| Node { label: Label::Free, price, base, petals: Vec::new(), links: Vec::new() };
        Forest {
            vertices,
            costs,
            nodes: (0..vertices).map(vertex).collect(),
            spare: Vec::new(),
            mate: vec![None; vertices],
            top: (0..vertices).collect(),
            nearest: vec![None; vertices],
        }
    }

    /// One stage: ends with two more vertices matched.
    fn match_one_more(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.label = Label::Free);
        self.nearest.fill(None);
        let roots: Vec<usize> = (0..self.vertices).filter(|&vertex| self.mate[vertex].is_none()).collect();
        for &root in &roots {
            self.nodes[self.top[root]].label = Label::Outer;
        }
        let outers = roots.iter().flat_map(|&root| self.within(self.top[root])).collect();
        self.announce(outers);
        loop {
            let (step, event) = self.next_event();
            self.raise(step);
            match event {
                Event::Empty(blossom) => self.open(blossom),
                Event::Tight(edge) if self.label(edge.1) == Label::Free => self.grow(edge),
                Event::Tight((one, other)) => match self.meet(self.top[one], self.top[other]) {
                    Some(node) => self.close((one, other), node),
                    None => {
                        self.turn_over(one, other);
                        self.turn_over(other, one);
                        return;
                    }
                },
            }
        }
    }

    fn label(&self, vertex: usize) -> Label {
        self.nodes[self.top[vertex]].label
    }

    fn slack(&self, one: usize, other: usize) -> i128 {
        self.costs[one * self.vertices + other] - self.nodes[one].price - self.nodes[other].price
    }

    /// What is possible after the smallest change of prices, and that change.
    fn next_event(&self) -> (i128, Event) {
        let tight = (0..self.vertices).filter_map(|vertex| {
            let near = self.nearest[vertex]?;
            let slack = self.slack(near, vertex);
            match self.label(vertex) {
                Label::Free => Some((slack, Event::Tight((near, vertex)))),
                Label::Outer => Some((slack / 2, Event::Tight((near, vertex)))),
                Label::Inner(_) => None,
            }
        });
        let blossoms = self.vertices..self.nodes.len();
        let empty = blossoms
            .filter(|&node| self.is_top(node) && matches!(self.nodes[node].label, Label::Inner(_)))
            .map(|node| (self.nodes[node].price / 2, Event::Empty(node)));
        tight.chain(empty).min_by_key(|(step, _)| *step).expect("there is a perfect matching")
    }

    fn is_top(&self, node: usize) -> bool {
        self.top[self.nodes[node].base] == node
    }

    fn raise(&mut self, step: i128) {
        if step == 0 {
            return;
        }
        for vertex in 0..self.vertices {
            match self.label(vertex) {
                Label::Outer => self.nodes[vertex].price += step,
                Label::Inner(_) => self.nodes[vertex].price -= step,
                Label::Free => {}
            }
        }
        for node in (self.vertices..self.nodes.len()).filter(|&node| self.is_top(node)).collect::<Vec<_>>() {
            match self.nodes[node].label {
                Label::Outer => self.nodes[node].price += 2 * step,
                Label::Inner(_) => self.nodes[node].price -= 2 * step,
                Label::Free => {}
            }
        }
    }

    /// The vertices of a node.
    fn within(&self, node: usize) -> Vec<usize> {
        let mut vertices = Vec::new();
        let mut nodes = vec![node];
        while let Some(node) = nodes.pop() {
            match node < self.vertices {
                true => vertices.push(node),
                false => nodes.extend(&self.nodes[node].petals),
            }
        }
        vertices
    }

    /// Tells all others about vertices that became outer.
    fn announce(&mut self, outers: Vec<usize>) {
        for outer in outers {
            for vertex in 0..self.vertices {
                if self.top[vertex] != self.top[outer] && !matches!(self.label(vertex), Label::Inner(_)) {
                    self.consider(vertex, outer);
                }
            }
        }
    }

    /// Finds the nearest outer vertex anew.
    fn search(&mut self, vertex: usize) {
        self.nearest[vertex] = None;
        for outer in 0..self.vertices {
            if self.top[outer] != self.top[vertex] && self.label(outer) == Label::Outer {
                self.consider(vertex, outer);
            }
        }
    }

    fn consider(&mut self, vertex: usize, outer: usize) {
        if self.nearest[vertex].is_none_or(|near| self.slack(outer, vertex) < self.slack(near, vertex)) {
            self.nearest[vertex] = Some(outer);
        }
    }

    /// A free node, and the one it is matched with, join the tree.
    fn grow(&mut self, edge: Edge) {
        let inner = self.top[edge.1];
        self.nodes[inner].label = Label::Inner(edge);
        let mate = self.mate[self.nodes[inner].base].expect("an unmatched node is a root");
        let outer = self.top[mate];
        self.nodes[outer].label = Label::Outer;
        self.announce(self.within(outer));
    }

    /// The two edges from an outer node to the next outer one towards the root.
    fn upwards(&self, outer: usize) -> Option<[Edge; 2]> {
        let base = self.nodes[outer].base;
        let mate = self.mate[base]?;
        match self.label(mate) {
            Label::Inner((above, below)) => Some([(base, mate), (below, above)]),
            _ => unreachable!("an outer node is matched with an inner one"),
        }
    }

    /// The lowest node on the ways of both outer nodes to their roots, if it is the same root.
    fn meet(&self, one: usize, other: usize) -> Option<usize> {
        let way = |from: usize| {
            std::iter::successors(Some(from), |&node| {
                self.upwards(node).map(|[_, (_, above)]| self.top[above])
            })
        };
        let mut passed = vec![false; self.nodes.len()];
        way(one).for_each(|node| passed[node] = true);
        way(other).find(|&node| passed[node])
    }

    /// The edges on the way from an outer node to another one above it.
    fn climb(&self, mut from: usize, to: usize) -> Vec<Edge> {
        let mut way = Vec::new();
        while from != to {
            let edges = self.upwards(from).expect("the other node is on the way");
            way.extend(edges);
            from = self.top[edges[1].1];
        }
        way
    }

    /// The edge closes an odd cycle, whose highest node this is: it becomes a blossom.
    fn close(&mut self, edge: Edge, highest: usize) {
        let down = self.climb(self.top[edge.0], highest).into_iter().rev().map(|(from, to)| (to, from));
        let up = self.climb(self.top[edge.1], highest);
        let links: Vec<Edge> = down.chain([edge]).chain(up).collect();
        let petals: Vec<usize> = links.iter().map(|&(from, _)| self.top[from]).collect();
        let base = self.nodes[highest].base;
        let was_inner = |petal: &usize| matches!(self.nodes[*petal].label, Label::Inner(_));
        let joined: Vec<usize> = petals.iter().copied().filter(was_inner).collect();
        let blossom = Node { label: Label::Outer, price: 0, base, petals, links };
        let place = match self.spare.pop() {
            Some(place) => {
                self.nodes[place] = blossom;
                place
            }
            None => {
                self.nodes.push(blossom);
                self.nodes.len() - 1
            }
        };
        let inside = self.within(place);
        inside.iter().for_each(|&vertex| self.top[vertex] = place);
        let joined: Vec<usize> = joined.into_iter().flat_map(|petal| self.within(petal)).collect();
        joined.iter().for_each(|&outer| self.nearest[outer] = None);
        self.announce(joined);
        for vertex in inside {
            if self.nearest[vertex].is_none_or(|near| self.top[near] == place) {
                self.search(vertex);
            }
        }
    }

    /// An inner blossom falls apart: the way through it stays in the tree, the rest is free.
    fn open(&mut self, blossom: usize) {
        let Label::Inner(entry) = self.nodes[blossom].label else {
            unreachable!("only inner blossoms are opened")
        };
        let petals = std::mem::take(&mut self.nodes[blossom].petals);
        let links = std::mem::take(&mut self.nodes[blossom].links);
        self.spare.push(blossom);
        for &petal in &petals {
            self.nodes[petal].label = Label::Free;
            self.within(petal).into_iter().for_each(|vertex| self.top[vertex] = petal);
        }
        // The way from the entry to the base goes round the side on which the entry is matched.
        let first =
            petals.iter().position(|&petal| petal == self.top[entry.1]).expect("the entry is in a petal");
        let way: Vec<(usize, Edge)> = match first % 2 {
            0 => (0..first).rev().map(|place| (petals[place], (links[place].1, links[place].0))).collect(),
            _ => (first..petals.len())
                .map(|place| (petals[(place + 1) % petals.len()], links[place]))
                .collect(),
        };
        self.nodes[petals[first]].label = Label::Inner(entry);
        for (step, &(petal, edge)) in way.iter().enumerate() {
            self.nodes[petal].label = if step % 2 == 0 { Label::Outer } else { Label::Inner(edge) };
        }
        for petal in petals {
            let label = self.nodes[petal].label;
            if label == Label::Outer {
                self.announce(self.within(petal));
            }
            if !matches!(label, Label::Inner(_)) {
                self.within(petal).into_iter().for_each(|vertex| self.search(vertex));
            }
        }
    }

    /// Matches an outer vertex with a new partner, and what is above it anew up to the root.
    fn turn_over(&mut self, mut vertex: usize, mut partner: usize) {
        loop {
            let node = self.top[vertex];
            let above = self.upwards(node);
            self.rebase(node, vertex);
            self.mate[vertex] = Some(partner);
            let Some([(_, mate), (below, next)]) = above else { return };
            self.rebase(self.top[mate], below);
            self.mate[below] = Some(next);
            (vertex, partner) = (next, below);
        }
    }

    /// Makes a vertex the base of a node around it, by matching the nodes within anew.
    fn rebase(&mut self, node: usize, vertex: usize) {
        self.nodes[node].base = vertex;
        if node < self.vertices {
            return;
        }
        let mut petals = std::mem::take(&mut self.nodes[node].petals);
        let mut links = std::mem::take(&mut self.nodes[node].links);
        let holds = |petal: &usize| self.within(*petal).contains(&vertex);
        let first = petals.iter().position(holds).expect("the vertex is in a petal");
        let pairs = if first % 2 == 0 { 0..first } else { first + 1..petals.len() };
        for place in pairs.step_by(2) {
            let (one, other) = links[place];
            self.rebase(petals[place], one);
            self.rebase(petals[(place + 1) % petals.len()], other);
            (self.mate[one], self.mate[other]) = (Some(other), Some(one));
        }
        self.rebase(petals[first], vertex);
        petals.rotate_left(first);
        links.rotate_left(first);
        (self.nodes[node].petals, self.nodes[node].links) = (petals, links);
    }
}

#[cfg(test)]
mod tests {
    use super::cheapest_matching;
    use palestra_core::Rng;
    use proptest::prelude::*;

    /// The least cost of a perfect matching, by trying all.
    fn least(free: &mut Vec<usize>, cost: &impl Fn(usize, usize) -> i128) -> i128 {
        let Some(one) = free.pop() else { return 0 };
        let mut least = i128::MAX;
        for place in 0..free.len() {
            let other = free.remove(place);
            least = least.min(cost(one, other) + self::least(free, cost));
            free.insert(place, other);
        }
        free.push(one);
        least
    }

    fn check(vertices: usize, cost: impl Fn(usize, usize) -> i128) -> i128 {
        let mates = cheapest_matching(vertices, &cost);
        assert!((0..vertices).all(|one| mates[one] != one && mates[mates[one]] == one), "{mates:?}");
        (0..vertices).filter(|&one| one < mates[one]).map(|one| cost(one, mates[one])).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]
        #[test]
        fn nothing_is_cheaper(half in 0_usize..=5, most in prop::sample::select(vec![2_u32, 5, 30, 100_000]), seed: u64) {
            let vertices = 2 * half;
            let mut rng = Rng::new(seed);
            let costs: Vec<i128> = (0..vertices * vertices).map(|_| rng.below(most).into()).collect();
            let cost = |one: usize, other: usize| costs[one.min(other) * vertices + one.max(other)];
            prop_assert_eq!(check(vertices, cost), least(&mut (0..vertices).collect(), &cost));
        }
    }

    #[test]
    fn pairs_that_were_hidden_are_found() {
        // The only way without cost is one partner each; everything else is nearly as cheap and full of odd cycles.
        for vertices in [20, 60, 120] {
            for seed in 0..3 {
                let mut rng = Rng::new(seed);
                let mut order: Vec<usize> = (0..vertices).collect();
                rng.shuffle(&mut order);
                let place: Vec<usize> =
                    (0..vertices).map(|v| order.iter().position(|&o| o == v).unwrap()).collect();
                let noise: Vec<i128> = (0..vertices * vertices).map(|_| rng.between(1, 3).into()).collect();
                let cost = |one: usize, other: usize| match place[one] / 2 == place[other] / 2 {
                    true => 0,
                    false => noise[one.min(other) * vertices + one.max(other)],
                };
                assert_eq!(check(vertices, cost), 0);
            }
        }
    }

    #[test]
    fn neighbours_on_a_line_are_matched() {
        let square = |one: usize, other: usize| (one as i128 - other as i128).pow(2);
        assert_eq!(check(200, square), 100);
    }
}
