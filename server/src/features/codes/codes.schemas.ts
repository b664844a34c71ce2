import { adminSwitches, generalChoices, generalSwitches } from '../../formats/collect-settings/index.js'
import { Type } from '../../platform/schema/index.js'

const choices = Object.fromEntries(
  Object.entries(generalChoices).map(([name, values]) => [
    name,
    Type.Optional(Type.String({ enum: [...values], description: 'As ODK Collect names it.' })),
  ]),
)

const onOff = Type.Optional(Type.Boolean({ description: 'As ODK Collect names it; false hides or switches off.' }))
const switches = Object.fromEntries([...generalSwitches, ...adminSwitches].map((name) => [name, onOff]))

export const SettingsQuery = Type.Object({
  mode: Type.Optional(
    Type.String({
      enum: ['managed', 'plain'],
      default: 'managed',
      description:
        '`managed`: the phone has just the forms of the list and sends on its own. `plain`: the address and the name alone; the rest is set on the phone.',
    }),
  ),
  app_language: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$',
      maxLength: 20,
      description: 'Language of the app.',
      examples: ['fr'],
    }),
  ),
  ...choices,
  ...switches,
})

export const CollectSettingsView = Type.Object(
  {
    general: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()])),
    admin: Type.Record(Type.String(), Type.Boolean()),
    project: Type.Object({ name: Type.String(), icon: Type.String(), color: Type.String() }),
  },
  {
    description: 'What ODK Collect reads out of the code.',
    examples: [
      {
        general: {
          server_url: 'https://sheaf.example/key/3Qm0vJ5kZr8cYtX2sLwN7aBd9fGh1JkP',
          form_update_mode: 'match_exactly',
          autosend: 'wifi_and_cellular',
          metadata_username: 'Tablet 7',
        },
        admin: {},
        project: { name: 'Clinics', icon: 'C', color: '#2e6b4f' },
      },
    ],
  },
)
