// Dataviews as the tests of this room need them, made over HTTP.
import type { Account, TestApp } from './app.js'
import type { Place } from './data.js'

export const bodyOf = ({ form, projectId }: Place, fields: object = {}): Record<string, unknown> => ({
  name: 'Adults',
  xform: `http://localhost/api/v1/forms/${form.id}`,
  project: `http://localhost/api/v1/projects/${projectId}`,
  columns: ['name', 'age'],
  ...fields,
})

let made = 0

/** Answers its id. */
export const newDataview = async (app: TestApp, place: Place, fields: object = {}): Promise<number> => {
  const body = bodyOf(place, { name: `Dataview ${++made}`, ...fields })
  const response = await app.as(place.ana)('POST', '/dataviews', { body })
  if (response.statusCode !== 201) throw new Error(`The dataview was not made: ${response.body}`)
  return response.json().dataviewid
}

export const dataOf = (app: TestApp, caller: Account | undefined, id: number, query: Record<string, string> = {}) =>
  caller === undefined
    ? app.call('GET', `/dataviews/${id}/data`, { query })
    : app.as(caller)('GET', `/dataviews/${id}/data`, { query })
