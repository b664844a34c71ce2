// People by their names, for whoever looks for somebody to share with.
import { api, got, type Schemas } from './client'

export type Person = Schemas['User']

const mostFound = 8

export const findPeople = (search: string): Promise<Person[]> =>
  got(api.GET('/api/v1/users', { params: { query: { search, orgs: false, page_size: mostFound } } }))

/** As people are called; the username where they gave no name. */
export const nameOf = (person: { first_name: string; last_name: string; username?: string; user?: string }): string =>
  `${person.first_name} ${person.last_name}`.trim() || (person.username ?? person.user ?? '')
