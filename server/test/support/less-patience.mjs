// Loaded before the server's own program (`node --import`), in each of its processes: the same program, which waits for less
// long. LESS_PATIENCE is JSON of what differs from the budgets.
import { budgets } from '../../dist/budgets.js'

for (const [group, bounds] of Object.entries(JSON.parse(process.env.LESS_PATIENCE ?? '{}'))) {
  Object.assign(budgets[group], bounds)
}
