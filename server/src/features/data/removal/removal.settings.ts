import { defineSettings, setting } from '../../../platform/config/index.js'

export const dataSettings = defineSettings('Data', {
  mayDeleteForGood: setting.boolean('ENABLE_SUBMISSION_PERMANENT_DELETE', {
    default: false,
    doc: 'Whether submissions may be deleted for good, with their history and files.',
  }),
})
