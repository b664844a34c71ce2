// How much owners are told, each bound at its limit and one past it.
import { beforeEach, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { look, Place } from '../../../test/support/mandates.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let owner: Account
let place: Place

beforeEach(async () => {
  owner = await app.account()
  place = await Place.open(app, owner)
})

/** Invitations of nobody that is known. */
const lose = (count: number) =>
  app.deps.db.run(sql`
    insert into project_invitations (project_id, email, email_key, role, created_at)
    select ${place.project}::int, mail, mail, 'editor', now()
    from (select gen_random_uuid() || '@example.org' as mail from generate_series(1, ${count}::int)) made`)

const mails = () => app.mailsTo(owner.email)

const lines = async () => {
  const [mail] = await mails()
  return [mail?.text.match(/^- Invitation/gm)?.length, mail?.text.match(/^- and \d+ more of this kind$/m)?.[0]]
}

it('a mail names budgets.mandates.linesTold things', async () => {
  await lose(budgets.mandates.linesTold)
  await look(app)
  expect(await lines()).toEqual([budgets.mandates.linesTold, undefined])
})

it('of one more than budgets.mandates.linesTold it says how many more there are, and so does the event', async () => {
  await lose(budgets.mandates.linesTold + 1)
  await look(app)
  expect(await lines()).toEqual([budgets.mandates.linesTold, '- and 1 more of this kind'])
  expect((await place.events('project'))[0]).toMatch(/- and 1 more of this kind$/)
})

it('an owner gets budgets.mandates.mailsPerDay mails in a day, whoever comes and goes; events tell the rest', async () => {
  for (let n = 0; n < budgets.mandates.mailsPerDay; n++) {
    await lose(1)
    await look(app)
  }
  expect(await mails()).toHaveLength(budgets.mandates.mailsPerDay)
  await lose(1)
  await look(app)
  expect(await mails()).toHaveLength(budgets.mandates.mailsPerDay)
  expect(await place.events('project')).toHaveLength(budgets.mandates.mailsPerDay + 1)
  app.wait(86_401)
  await lose(1)
  await look(app)
  expect(await mails()).toHaveLength(budgets.mandates.mailsPerDay + 1)
})

it('what is found at once is told at once, budgets.mandates.thingsAtOnce of a kind', async () => {
  await lose(budgets.mandates.thingsAtOnce)
  await look(app)
  expect(await place.events('project')).toHaveLength(1)
})

it('what is more than budgets.mandates.thingsAtOnce follows, and nothing is left', async () => {
  await lose(budgets.mandates.thingsAtOnce + 1)
  await look(app)
  expect(await place.events('project')).toHaveLength(2)
  const left = await app.deps.db.rows(sql`
    select from project_invitations where project_id = ${place.project} and status = 1`)
  expect(left).toEqual([])
})
