// Two projects of the organization with a form each, and who may do what there.
import { householdSheets, type Sheets, workbookOf } from '@sheaf/server/example'
import type { Api } from './api.js'
import { organization, type People } from './people.js'
import type { Form } from './sending.js'
import { waterSheets } from './water-form.js'

export interface Projects {
  readonly households: Form
  readonly water: Form
}

const publish = async (api: Api, projectid: number, sheets: Sheets, name: string): Promise<Form> => {
  const file = { name: 'xls_file', filename: `${name}.xlsx`, content: await workbookOf(sheets) }
  return api.upload(`/api/v1/projects/${projectid}/forms`, [file])
}

interface Wanted {
  readonly name: string
  readonly sheets: Sheets
  readonly form: string
  readonly tags: string
  readonly roles: Readonly<Record<string, string>>
}

const makeProject = async (address: string, amina: Api, wanted: Wanted): Promise<Form> => {
  const { name, sheets, form, tags, roles } = wanted
  const owner = `${address}/api/v1/users/${organization}`
  const { projectid } = await amina.post<{ projectid: number }>('/api/v1/projects', { name, owner })
  const published = await publish(amina, projectid, sheets, form)
  for (const [username, role] of Object.entries(roles)) {
    await amina.put(`/api/v1/projects/${projectid}/share`, { username, role })
  }
  await amina.post(`/api/v1/projects/${projectid}/labels`, { tags })
  await amina.post(`/api/v1/projects/${projectid}/star`, {})
  await amina.post(`/api/v1/projects/${projectid}/invitations`, {
    email: `guest.${form}@example.org`,
    role: 'readonly',
  })
  return published
}

export const makeProjects = async (address: string, { amina }: People): Promise<Projects> => ({
  households: await makeProject(address, amina, {
    name: 'Household survey 2026',
    sheets: householdSheets,
    form: 'household_survey',
    tags: 'health, baseline',
    roles: { joseph: 'manager', grace: 'dataentry-minor' },
  }),
  water: await makeProject(address, amina, {
    name: 'Water points',
    sheets: waterSheets,
    form: 'water_points',
    tags: 'water',
    roles: { joseph: 'editor', grace: 'dataentry-minor' },
  }),
})
