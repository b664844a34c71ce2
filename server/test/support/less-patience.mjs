// Loaded before the server's own program (`node --import`), in each of its processes: the same program, which waits for less
// long. LESS_PATIENCE is JSON of what differs from the budgets.
import * as chunk from '../../program/budgets.js'

/** What is bundled exports it by a short name. */
const budgets = Object.values(chunk).find((one) => one?.workers !== undefined)

for (const [group, bounds] of Object.entries(JSON.parse(process.env.LESS_PATIENCE ?? '{}'))) {
  Object.assign(budgets[group], bounds)
}
