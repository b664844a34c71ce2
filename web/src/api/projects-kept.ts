// The list of projects for what is typed in the palette: asked for once in a while, however much is typed.
import { listProjects, type Project } from './projects'
import { onSessionChange } from './session'

const keptMilliseconds = 30_000
let kept: { at: number; projects: Promise<Project[]> } | undefined

/** What failed is not kept. */
export const keptProjects = (now = Date.now()): Promise<Project[]> => {
  if (kept !== undefined && now - kept.at < keptMilliseconds) return kept.projects
  const asked = { at: now, projects: listProjects() }
  kept = asked
  asked.projects.catch(() => {
    if (kept === asked) kept = undefined
  })
  return asked.projects
}

onSessionChange(() => {
  kept = undefined
})
