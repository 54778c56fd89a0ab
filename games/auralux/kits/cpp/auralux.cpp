// A first bot for Auralux: takes the nearest free planet, raises its planets, then attacks the weakest.
//
// Try it:    palestra play auralux ./auralux.cpp aggressive
// Then make it better: choose() decides, everything else only reads and writes.
#include <iostream>
#include <vector>

const int CAPTURE_COST = 100;
const int TOP_LEVEL = 3;

struct Planet {
    int owner, ships, level, armor;
};

struct Order {
    int from, to, count;
};

int me, players, planet_count;
std::vector<std::vector<int>> distances;

std::vector<Order> choose(const std::vector<Planet> &planets) {
    std::vector<Order> orders;
    for (int here = 0; here < planet_count; here++) {
        const Planet &planet = planets[here];
        if (planet.owner != me || planet.ships == 0) continue;
        if (planet.level < TOP_LEVEL || planet.armor < 100 * planet.level) {
            // Capture, repair or upgrade.
            if (planet.level > 0 || planet.ships >= CAPTURE_COST) orders.push_back({here + 1, here + 1, planet.ships});
            continue;
        }
        if (planet.ships <= CAPTURE_COST) continue;
        int target = -1, least = 1 << 30;
        for (int there = 0; there < planet_count; there++) {
            if (planets[there].owner == me) continue;
            int cost = distances[here][there] + (planets[there].ships + planets[there].armor) / 2;
            if (cost < least) {
                least = cost;
                target = there;
            }
        }
        if (target >= 0) orders.push_back({here + 1, target + 1, planet.ships});
    }
    return orders;
}

int main() {
    std::cin >> me >> players >> planet_count;
    distances.assign(planet_count, std::vector<int>(planet_count));
    for (auto &row : distances)
        for (int &distance : row) std::cin >> distance;
    int moves;
    while (std::cin >> moves && moves >= 0) {
        for (int i = 0; i < moves; i++) {
            int player, from, to, count;
            std::cin >> player >> from >> to >> count;
        }
        std::vector<Planet> planets(planet_count);
        for (Planet &planet : planets) std::cin >> planet.owner >> planet.ships >> planet.level >> planet.armor;
        std::vector<Order> orders = choose(planets);
        std::cout << orders.size() << '\n';
        for (const Order &order : orders) std::cout << order.from << ' ' << order.to << ' ' << order.count << '\n';
        std::cout << std::flush;
    }
}
