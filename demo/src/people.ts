// Three people with different roles, and the organization that they work for. The first account is made as a newcomer makes it.
import { type Api, apiOf, basic } from './api.js'

export interface Login {
  readonly username: string
  readonly password: string
  readonly role: string
}

const password = 'lake basin'

export const logins: readonly Login[] = [
  { username: 'amina', password, role: 'owns everything and runs the server' },
  { username: 'joseph', password, role: 'manages the household survey and reviews its records' },
  { username: 'grace', password, role: 'collects in the field and sees her own records' },
]

export interface People {
  readonly amina: Api
  readonly joseph: Api
  readonly grace: Api
}

export const organization = 'lakebasin'

const profiles = {
  amina: {
    first_name: 'Amina',
    last_name: 'Odhiambo',
    city: 'Kisumu',
    country: 'KE',
    organization: 'Lake Basin Trust',
  },
  joseph: { first_name: 'Joseph', last_name: 'Koech', city: 'Ahero', country: 'KE', organization: 'Lake Basin Trust' },
  grace: { first_name: 'Grace', last_name: 'Barasa', city: 'Maseno', country: 'KE', organization: 'Lake Basin Trust' },
}

/** Tokens: hashing a password for each of some thousand records would take minutes. */
const signedIn = async (address: string, username: string): Promise<Api> => {
  const account = await apiOf(address, username, basic(username, password)).get<{ api_token: string }>('/api/v1/user')
  return apiOf(address, username, `Token ${account.api_token}`)
}

export const makePeople = async (address: string, setupCode: string): Promise<People> => {
  const nobody = apiOf(address, '', '')
  const first = { code: setupCode, name: 'Amina Odhiambo', username: 'amina', email: 'amina@example.org', password }
  await nobody.post('/accounts/setup', first)
  for (const username of ['joseph', 'grace'] as const) {
    const account = { ...profiles[username], username, email: `${username}@example.org`, password }
    await nobody.post('/api/v1/profiles', account)
  }
  const amina = await signedIn(address, 'amina')
  await amina.patch('/api/v1/profiles/amina', profiles.amina)
  await amina.post('/api/v1/orgs', {
    org: organization,
    name: 'Lake Basin Trust',
    city: 'Kisumu',
    country: 'KE',
    description: 'Water, health and schools around the Winam Gulf',
  })
  await amina.post(`/api/v1/orgs/${organization}/members`, { username: 'joseph', role: 'manager' })
  await amina.post(`/api/v1/orgs/${organization}/members`, { username: 'grace', role: 'dataentry' })
  const { teamid } = await amina.post<{ teamid: number }>('/api/v1/teams', { name: 'field team', organization })
  await amina.post(`/api/v1/teams/${teamid}/members`, { username: 'grace' })
  return { amina, joseph: await signedIn(address, 'joseph'), grace: await signedIn(address, 'grace') }
}
