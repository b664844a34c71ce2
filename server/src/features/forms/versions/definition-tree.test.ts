import { expect, it } from 'vitest'
import { testApp } from '../../../../test/support/app.js'
import { publish, sheet } from '../../../../test/support/forms.js'

const app = testApp()

it('a definition leaves out what a question does not have: no label, no appearance, no condition', async () => {
  const ana = await app.account()
  const survey = `type,name,label,appearance,relevant,calculation
    text,name,Name,,,
    text,note,Note,multiline,,
    calculate,twice,,,,2 * 2
    begin group,home,Home,field-list,\${name} != '',
    integer,rooms,Rooms,,,
    end group,,,,,`
  const { formid } = await publish(app, ana, sheet(survey, { settings: { form_id: 'tree' } }))
  const { children } = (await app.as(ana)('GET', `/forms/${formid}/form.json`)).json()
  const [, name, note, twice, home] = children
  const bind = { type: 'string' }
  expect(name).toEqual({ type: 'text', name: 'name', label: 'Name', bind })
  expect(note).toEqual({ type: 'text', name: 'note', label: 'Note', bind, control: { appearance: 'multiline' } })
  expect(twice).toEqual({ type: 'calculate', name: 'twice', bind: { ...bind, calculate: '2 * 2' } })
  expect(home).toEqual({
    type: 'group',
    name: 'home',
    label: 'Home',
    control: { appearance: 'field-list' },
    bind: { relevant: expect.stringContaining("!= ''") },
    children: [{ type: 'integer', name: 'rooms', label: 'Rooms', bind: { type: 'int' } }],
  })
})
