// The server itself, for those who run it. To everybody else it does not exist.
import { api, got, gotWithHeaders, type Schemas } from './client'

export type Server = Schemas['Server']
export type OperatedPerson = Schemas['OperatedPerson']

export const serverKey = ['server']
export const getServer = (): Promise<Server> => got(api.GET('/api/v1/server'))

export interface PeopleQuestion {
  readonly search: string
  readonly state: 'all' | 'active' | 'closed'
  readonly page: number
}

export const peoplePageSize = 50
export const serverPeopleKey = ['server-people']

export const listServerPeople = async ({ search, state, page }: PeopleQuestion) => {
  const query = {
    page: String(page),
    page_size: peoplePageSize,
    ...(search !== '' && { search }),
    ...(state !== 'all' && { is_active: state === 'active' }),
  }
  const { data, headers } = await gotWithHeaders(api.GET('/api/v1/server/people', { params: { query } }))
  return { people: data as OperatedPerson[], total: Number(headers.get('x-total-count') ?? data.length) }
}

const of = (username: string) => ({ params: { path: { username } } })

export const setActive = (username: string, is_active: boolean): Promise<OperatedPerson> =>
  got(api.PATCH('/api/v1/server/people/{username}', { ...of(username), body: { is_active } }))

/** The link leads to the page of this server. */
export const sendResetLink = (username: string): Promise<unknown> =>
  got(api.POST('/api/v1/server/people/{username}/reset', { ...of(username), body: {} }))
