// Who answers for a service: whoever made or changed it last, and nobody else by that.
import { expect, it } from 'vitest'
import { testApp } from '../../../test/support/app.js'
import { newProject, share } from '../../../test/support/projects.js'
import { Forwarding } from '../../../test/support/rest-services.js'
import { sql } from '../../platform/db/index.js'
import { lockService } from './rest-services.queries.js'

const app = testApp()

it('a change of one service makes nobody answer for another, and is of its own form', async () => {
  const { db } = app.deps
  const [owner, manager, stranger] = [await app.account(), await app.account(), await app.account()]
  // The first form of all: whoever looks at another than the service's own finds that nobody here manages it.
  await Forwarding.open(app, stranger, await newProject(app, stranger))
  const first = await Forwarding.open(app, owner, await newProject(app, owner))
  const second = await Forwarding.open(app, owner, first.project)
  await share(app, owner, first.project, manager.username, 'manager')
  const services = [
    await first.addService({ service_url: 'https://one.example.org/' }),
    await first.addService({ service_url: 'https://two.example.org/' }),
    await second.addService({ service_url: 'https://three.example.org/' }),
  ].map(({ id }) => id)
  const changed = services[1] as number
  const body = { service_url: 'https://four.example.org/' }
  expect((await app.as(manager)('PATCH', `/restservices/${changed}`, { body })).statusCode).toBe(200)
  const found = await db.rows(sql`
    select id, acts_for as "actsFor", service_url as url from rest_services where id = any(${services}::int[]) order by id`)
  expect(found).toEqual([
    { id: services[0], actsFor: owner.id, url: 'https://one.example.org/' },
    { id: changed, actsFor: manager.id, url: body.service_url },
    { id: services[2], actsFor: owner.id, url: 'https://three.example.org/' },
  ])
  const locked = await db.transaction((tx) => Promise.all(services.map((id) => lockService(tx, id))))
  const { formid } = first.form
  expect(locked.map((service) => service?.formId)).toEqual([formid, formid, second.form.formid])
})
