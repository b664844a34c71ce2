// Organizations and projects as tests need them, made over HTTP like everything else.
import type { Account, TestApp } from './app.js'

let made = 0

export const newProject = async (app: TestApp, owner: Account, fields: object = {}): Promise<number> => {
  const response = await app.as(owner)('POST', '/projects', { body: { name: `Project ${++made}`, ...fields } })
  if (response.statusCode !== 201) throw new Error(`The project was not made: ${response.body}`)
  return response.json().projectid
}

export const newOrganization = async (app: TestApp, owner: Account): Promise<string> => {
  const org = `organization${++made}`
  const response = await app.as(owner)('POST', '/orgs', { body: { org, name: org } })
  if (response.statusCode !== 201) throw new Error(`The organization was not made: ${response.body}`)
  return org
}

export const share = (app: TestApp, by: Account, projectId: number, username: string, role: string) =>
  app.as(by)('PUT', `/projects/${projectId}/share`, { body: { username, role } })
