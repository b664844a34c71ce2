// A list of projects: whole where it is short, so that it has a tag; otherwise as it is made. Each shows everybody with a role on
// it and every team of its owner, which together may be millions.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Db } from '../../platform/db/index.js'
import type { Project } from './projects.queries.js'
import { type ProjectViewer, projectsAtOnce, projectsText, projectViews } from './projects.views.js'

export const sendProjects = async (
  reply: FastifyReply,
  db: Db,
  viewer: ProjectViewer,
  projects: readonly Project[],
): Promise<never> => {
  if (projects.length <= projectsAtOnce) return (await projectViews(db, viewer, projects)) as never
  reply.type('application/json; charset=utf-8')
  return reply.send(Readable.from(projectsText(db, viewer, projects), { objectMode: false })) as never
}
