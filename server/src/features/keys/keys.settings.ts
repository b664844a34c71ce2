import { defineSettings, setting } from '../../platform/config/index.js'

export const keySettings = defineSettings('Public links', {
  enketoUrl: setting.optionalWebAddress('ENKETO_URL', {
    doc: 'Address of an Enketo server, in which public links are filled in by browsers. It must reach this server by BASE_URL. On a private network see OUTBOUND_ALLOW_PRIVATE.',
  }),
  enketoKey: setting.optionalText('ENKETO_KEY', { isSecret: true, doc: 'The API key of that Enketo server.' }),
})
