import { monitorEventLoopDelay } from 'node:perf_hooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { type PublishedForm, publish, sheet } from '../../../test/support/forms.js'
import { multipart } from '../../../test/support/multipart.js'
import { instance, send } from '../../../test/support/submissions.js'
import { budgets } from '../../budgets.js'
import { sql } from '../../platform/db/index.js'

const app = testApp()
let ana: Account
let ben: Account
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
  ben = await app.account({ username: 'ben' })
})

const plan = (form: PublishedForm, content: string, who: Account | null = ana) => {
  const { body, headers } = multipart([{ name: 'xls_file', filename: 'form.csv', type: 'text/csv', content }])
  const call = who === null ? app.call.bind(app) : app.as(who)
  return call('POST', `/forms/${form.formid}/plan`, { body, headers })
}
const submit = async (form: PublishedForm, answers: string) => {
  const answer = await send(app, ana, '', instance(form, answers))
  if (answer.statusCode !== 201) throw new Error(answer.body)
}
const state = async (form: PublishedForm) =>
  app.database.db.one(sql`
    select (select json_agg(forms) from forms) as forms, (select count(*) from form_versions) as versions,
      (select json_agg(submissions order by id) from submissions where form_id = ${form.formid}) as records,
      (select count(*) from form_events) as events, (select count(*) from pending_files) as files`)

const choices = 'list_name,name,label\ncolour,red,Red\ncolour,blue,Blue\ncolour,green,Green\nsex,f,F\nsex,m,M'
const settings = (id: string) => ({ choices, settings: { form_id: id } })

describe('POST /forms/{pk}/plan', () => {
  it('200 with everything that a replacement would mean, and nothing is changed', async () => {
    const before = sheet(
      `type,name,label,constraint
       text,nam,Name,
       text,age,Age,
       text,when,When,
       text,shoe,Shoe,
       text,never,Never,
       integer,weight,Weight,. > 0
       select_one sex,sex,Sex,
       select_multiple colour,colours,Colours,
       begin repeat,kids,Kids,
       text,kid,Kid,
       text,size,Size,
       text,toy,Toy,
       end repeat,,,`,
      settings('visit'),
    )
    const after = sheet(
      `type,name,label,constraint
       text,name,Name,
       integer,age,Age,
       date,when,When,
       integer,weight,Weight,. > 0 and . < 200
       select_one sex,sex,Sex,
       select_multiple colour,colours,Colours,count-selected(.) < 2
       text,hat,Hat,
       begin repeat,kids,Kids,
       text,kid,Kid,"regex(., '[A-Z][a-z]+')"
       decimal,size,Size,
       end repeat,,,`,
      {
        choices: choices.replace('colour,blue,Blue\n', '').replace('\nsex,m,M', '\nsex,x,X'),
        settings: { form_id: 'visit' },
      },
    )
    const form = await publish(app, ana, before)
    const kids = (...entries: string[]) => entries.map((entry) => `<kids>${entry}</kids>`).join('')
    await submit(
      form,
      `<nam>A</nam><age>30</age><when>2020-01-31</when><shoe>1</shoe><weight>70</weight><sex>f</sex><colours>red blue</colours>${kids(
        '<kid>Ann</kid><size>1.5</size><toy>car</toy>',
        '<kid>bob</kid><size>big</size><toy>doll</toy>',
      )}`,
    )
    await submit(
      form,
      `<nam>B</nam><age>old</age><when>soon</when><shoe>2</shoe><weight>500</weight><sex>m</sex><colours>blue</colours>${kids('<kid>Eve x</kid>')}`,
    )
    await submit(form, '<age>7</age><weight>900</weight><sex>m</sex>')
    // What is deleted does not count.
    await submit(form, '<age>gone</age><shoe>3</shoe><weight>999</weight><sex>m</sex>')
    await app.database.db.run(sql`
      update submissions set deleted_at = now() where form_id = ${form.formid} and answers ->> 'age' = 'gone'`)
    const { id: service } = await app.database.db.one<{ id: number }>(sql`
      insert into rest_services (form_id, kind, service_url, secret, created_at, modified_at)
      values (${form.formid}, 'generic_json', 'http://127.0.0.1:1/', '', now(), now()) returning id`)
    const stateBefore = await state(form)
    const answer = await plan(form, after)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      id_string_matches: true,
      added: ['hat'],
      removed: ['shoe', 'never', 'kids/toy'],
      renamed: [{ from: 'nam', to: 'name', answers: 2 }],
      type_changed: [
        { question: 'age', from: 'text', to: 'integer', incompatible_answers: 1 },
        { question: 'when', from: 'text', to: 'date', incompatible_answers: 1 },
        { question: 'kids/size', from: 'text', to: 'decimal', incompatible_answers: 1 },
      ],
      choices_removed: [
        { question: 'sex', choices: [{ name: 'm', answers: 2 }] },
        { question: 'colours', choices: [{ name: 'blue', answers: 2 }] },
      ],
      constraints: [
        { question: 'weight', constraint: '. > 0 and . < 200', breaking_answers: 2 },
        { question: 'colours', constraint: 'count-selected(.) < 2', breaking_answers: 1 },
        { question: 'kids/kid', constraint: "regex(., '[A-Z][a-z]+')", breaking_answers: 2 },
      ],
      removed_with_answers: [
        { question: 'shoe', answers: 2 },
        { question: 'kids/toy', answers: 2 },
      ],
      affected: {
        widgets: [],
        dataviews: [],
        rest_services: [{ id: service, name: 'generic_json', service_url: 'http://127.0.0.1:1/' }],
      },
      warnings: [],
    })
    expect(await state(form)).toEqual(stateBefore)
  })

  it('200 says why a constraint is not evaluated, and that another id_string would be refused', async () => {
    const rows = (one: string, two: string, three: string) =>
      `type,name,label,constraint
       text,a,A,${one}
       text,b,B,${two}
       text,c,C,"${three}"`
    const form = await publish(app, ana, sheet(rows('', '', ''), { settings: { form_id: 'odd' } }))
    await submit(form, '<a>1</a><b>2</b><c>3</c>')
    const other = sheet(rows(`. > \${b}`, "pulldata('x') = 1", "regex(., '[z-a]')"), { settings: { form_id: 'other' } })
    const answer = (await plan(form, other)).json()
    expect(answer.id_string_matches).toBe(false)
    expect(answer.warnings.at(-1)).toBe("The id_string is 'other'; to replace this form it must be 'odd'.")
    expect(answer.constraints).toMatchObject([
      { question: 'a', breaking_answers: null, reason: expect.stringContaining('other answers') },
      { question: 'b', breaking_answers: null, reason: expect.stringContaining('pulldata()') },
      { question: 'c', breaking_answers: null, reason: 'Its pattern is not understood here.' },
    ])
    expect(answer.affected.rest_services).toEqual([])
  })

  it('200 says of a constraint that takes too much that it could not be judged, within budgets.expressions.turnMs of others', async () => {
    const columns = 'type,name,label,constraint\n'
    const many = Array.from({ length: 60 }, (_, one) => `count-selected(.) = ${one}`).join(' or ')
    const rows = (...constraints: string[]) =>
      sheet(
        columns + constraints.map((one, place) => `text,q${place},Q${place},"${one}"`).join('\n'),
        settings('costly'),
      )
    const form = await publish(app, ana, rows('', '', '', ''))
    const { answerCharacters, turnMs } = budgets.expressions
    const long = 'x '.repeat(450_000)
    await submit(
      form,
      `<q0>${long}</q0><q1>${'x'.repeat(30)}</q1><q2>${'0'.repeat(answerCharacters)}</q2><q3>${'0'.repeat(answerCharacters + 1)}</q3>`,
    )
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    const answer = (
      await plan(form, rows(many, "regex(., '(x{1,100}){1,100}y')", 'string-length(.) = 1', 'string-length(.) = 1'))
    ).json()
    delays.disable()
    expect(answer.constraints).toMatchObject([
      { question: 'q0', breaking_answers: 1 },
      { question: 'q1', breaking_answers: null, reason: 'Its pattern repeats too much.' },
      { question: 'q2', breaking_answers: 1 },
      {
        question: 'q3',
        breaking_answers: null,
        reason: expect.stringContaining('could not be judged within its budget'),
      },
    ])
    // It took 15 s; the machine may be busy with other things for longer than a turn.
    expect(delays.max / 1e6).toBeLessThan(turnMs * 100)
  })

  it('200 counts answers of selects that have another type now, and what a group keeps that becomes a repeat', async () => {
    const before = sheet(
      'type,name,label\ntext,sex,Sex\nselect_multiple colour,colours,Colours\nbegin group,g,G\ntext,x,X\nend group,,',
      settings('select'),
    )
    const after = sheet(
      'type,name,label\nselect_one sex,sex,Sex\nselect_one colour,colours,Colours\nbegin repeat,g,G\ntext,x,X\nend repeat,,',
      settings('select'),
    )
    const form = await publish(app, ana, before)
    await submit(form, '<sex>f</sex><colours>red</colours>')
    await submit(form, '<sex>female</sex><colours>red blue</colours>')
    const answer = (await plan(form, after)).json()
    expect(answer.type_changed).toEqual([
      { question: 'sex', from: 'text', to: 'select_one', incompatible_answers: 1 },
      { question: 'colours', from: 'select_multiple', to: 'select_one', incompatible_answers: 1 },
    ])
    expect(answer.warnings).toMatchObject([expect.stringContaining("'g' becomes a repeat")])
  })

  it('400 for mistakes in the file and for no file, exactly as when replacing', async () => {
    const form = await publish(app, ana, sheet('type,name,label\ntext,a,A', { settings: { form_id: 'same' } }))
    const content = sheet('type,name,label\nnonsense,a,A\ntext,b b,B', { settings: { form_id: 'same' } })
    const { body, headers } = multipart([{ name: 'xls_file', filename: 'form.csv', type: 'text/csv', content }])
    const planned = await plan(form, content)
    const replaced = await app.as(ana)('PATCH', `/forms/${form.formid}`, { body, headers })
    expect([planned.statusCode, planned.json()]).toEqual([400, replaced.json()])
    expect(planned.json()).toMatchObject({ type: 'alert-error', problems: [{ row: 2 }, { row: 3 }] })
    const nothing = await app.as(ana)('POST', `/forms/${form.formid}/plan`, { body: {} })
    expect([nothing.statusCode, nothing.json().text]).toEqual([400, expect.stringContaining('XLSForm not provided')])
  })

  it('401 without credentials, 404 for a hidden form exactly as for a missing one, 403 for editors', async () => {
    const text = sheet('type,name,label\ntext,a,A', { settings: { form_id: 'seen' } })
    const form = await publish(app, ana, text)
    expect((await plan(form, text, null)).statusCode).toBe(401)
    const hidden = await plan(form, text, ben)
    const missing = await plan({ ...form, formid: 2_147_483_647 }, text, ben)
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
    const share = (role: string) =>
      app.as(ana)('POST', `/forms/${form.formid}/share`, { body: { username: 'ben', role } })
    await share('editor')
    expect((await plan(form, text, ben)).statusCode).toBe(403)
    await share('manager')
    expect((await plan(form, text, ben)).statusCode).toBe(200)
  })
})
