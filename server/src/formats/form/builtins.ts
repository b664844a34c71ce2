/** Fields of a record that the server fills in, beside its answers. */
export const builtinNames = [
  '_id',
  '_uuid',
  '_xform_id',
  '_xform_id_string',
  '_version',
  '_submission_time',
  '_date_modified',
  '_last_edited',
  '_submitted_by',
  '_last_edited_by',
  '_status',
  '_geolocation',
  '_attachments',
  '_tags',
  '_notes',
  '_edited',
  '_duration',
  '_deleted_at',
  '_ext_dataset_id',
  '_media_count',
  '_total_media',
  '_media_all_received',
  '_review_status',
  '_review_comment',
  '_review_date',
  '_device_key',
  '_device_id',
] as const

/** What a record came through: for those who have a role on the form, not for everybody who may see public data. */
export const deviceNames = ['_device_key', '_device_id'] as const

export type BuiltinName = (typeof builtinNames)[number]
