// A form of an organization, somebody who manages it for a while, and every way to stop.

import { setActive } from '../../src/features/credentials/index.js'
import { sql } from '../../src/platform/db/index.js'
import type { Account, TestApp } from './app.js'
import { type PublishedForm, publish } from './forms.js'
import { newOrganization, newProject } from './projects.js'
import { instance, newId, send } from './submissions.js'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export class Place {
  readonly app: TestApp
  readonly owner: Account
  readonly person: Account
  readonly org: string
  readonly project: number
  readonly form: PublishedForm

  private constructor(app: TestApp, people: [Account, Account], org: string, project: number, form: PublishedForm) {
    this.app = app
    this.owner = people[0]
    this.person = people[1]
    this.org = org
    this.project = project
    this.form = form
  }

  /** The person has no role yet. */
  static async open(app: TestApp, owner: Account): Promise<Place> {
    const person = await app.account()
    const org = await newOrganization(app, owner)
    const project = await newProject(app, owner, { owner: org })
    const form = await publish(app, owner, undefined, { project })
    return new Place(app, [owner, person], org, project, form)
  }

  async call(method: Method, path: string, body?: object, by = this.owner) {
    const response = await this.app.as(by)(method, path, body === undefined ? {} : { body })
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${response.body}`)
    return response
  }

  share(role: string) {
    return this.call('PUT', `/projects/${this.project}/share`, { username: this.person.username, role })
  }

  remove() {
    const { username } = this.person
    return this.call('PUT', `/projects/${this.project}/share`, { username, role: 'manager', remove: true })
  }

  async submit(name: string): Promise<void> {
    const response = await send(this.app, this.owner, '', instance(this.form, `<name>${name}</name>`, { id: newId() }))
    if (response.statusCode !== 201) throw new Error(`The submission was not taken: ${response.body}`)
  }

  async addService(url: string, fields: object = {}) {
    const body = { xform: this.form.formid, name: 'generic_json', service_url: url, ...fields }
    return (await this.call('POST', '/restservices', body, this.person)).json() as { id: number }
  }

  async service(id: number) {
    return (await this.call('GET', `/restservices/${id}`)).json()
  }

  async team(): Promise<number> {
    const { teamid } = (await this.call('POST', '/teams', { name: 'nurses', organization: this.org })).json()
    await this.call('POST', `/teams/${teamid}/members`, { username: this.person.username })
    await this.call('POST', `/teams/${teamid}/share`, { project: this.project, role: 'manager' })
    return teamid
  }

  /** What events tell of the form, or of the project, newest first. */
  async events(target: 'xform' | 'project' = 'xform'): Promise<string[]> {
    const id = target === 'xform' ? this.form.formid : this.project
    const list = (await this.call('GET', `/messaging?target_type=${target}&target_id=${id}&verb=message`)).json()
    return list.map(({ message }: { message: string }) => message)
  }
}

/** How somebody becomes a manager, and how it ends. */
export const ends: readonly [words: string, begin: (place: Place) => Promise<(place: Place) => Promise<unknown>>][] = [
  [
    'is taken out of the project',
    async (place) => {
      await place.share('manager')
      return () => place.remove()
    },
  ],
  [
    'is made an editor of the project',
    async (place) => {
      await place.share('manager')
      return () => place.share('editor')
    },
  ],
  [
    'is made an editor of the form',
    async (place) => {
      await place.share('manager')
      const { person, form } = place
      return () => place.call('POST', `/forms/${form.formid}/share`, { username: person.username, role: 'editor' })
    },
  ],
  [
    'leaves the organization',
    async (place) => {
      const { org, person } = place
      await place.call('POST', `/orgs/${org}/members`, { username: person.username, role: 'owner' })
      return () => place.call('DELETE', `/orgs/${org}/members`, { username: person.username })
    },
  ],
  [
    'is a plain member of the organization from now on',
    async (place) => {
      const { org, person } = place
      await place.call('POST', `/orgs/${org}/members`, { username: person.username, role: 'owner' })
      return () => place.call('PUT', `/orgs/${org}/members`, { username: person.username, role: 'readonly' })
    },
  ],
  [
    'leaves the team',
    async (place) => {
      const team = await place.team()
      return () => place.call('DELETE', `/teams/${team}/members`, { username: place.person.username })
    },
  ],
  [
    'is of a team that loses its role',
    async (place) => {
      const team = await place.team()
      return () => place.call('POST', `/teams/${team}/share`, { project: place.project, role: 'manager', remove: true })
    },
  ],
  [
    'has an account that is closed',
    async (place) => {
      await place.share('manager')
      return ({ app, person }) => app.deps.db.transaction((tx) => setActive(tx, person.id, false))
    },
  ],
  [
    'has an account that is deleted',
    async (place) => {
      await place.share('manager')
      return ({ app, person }) => app.deps.db.run(sql`delete from users where id = ${person.id}`)
    },
  ],
]

/** Looks for what has lost its person, as the scheduled job does. */
export const look = (app: TestApp): Promise<void> => app.deps.jobs.run('mandates.look', {})
