// The facts of a record by name: used wherever a column, a filter or an export names them.
import { useTexts } from '@/texts'
import en from '@/texts/en/filter'

const keys = {
  _submission_time: 'own_submission_time',
  _submitted_by: 'own_submitted_by',
  _review_status: 'own_review_status',
  _tags: 'own_tags',
  _version: 'own_version',
  _edited: 'own_edited',
  _last_edited: 'own_last_edited',
  _media_all_received: 'own_media_all_received',
  _duration: 'own_duration',
  _id: 'own_id',
} as const

export type OwnKey = keyof typeof keys

export const ownFieldLabel = (key: OwnKey): string => useTexts(en)(keys[key])
