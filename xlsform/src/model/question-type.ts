/** What an XForm says about a question that tells its type. */
export interface TypeFeatures {
  control: string | null
  mediatype: string | null
  hasQuery: boolean
  dataType: string | null
  preload: string | null
  preloadParams: string | null
  readonly: string | null
  calculate: string | null
  /** It starts with a value or an action sets one. */
  hasValue: boolean
  action: 'start-geopoint' | 'background-geopoint' | 'background-audio' | null
  /** Name of the element within the form's own meta block. */
  metaName: string | null
}

const controls = new Map([
  ['select1', 'select_one'],
  ['select', 'select_multiple'],
  ['odk:rank', 'rank'],
  ['rank', 'rank'],
  ['range', 'range'],
])

const inputs = new Map([
  ['int', 'integer'],
  ['integer', 'integer'],
  ['decimal', 'decimal'],
  ['date', 'date'],
  ['time', 'time'],
  ['dateTime', 'dateTime'],
  ['geopoint', 'geopoint'],
  ['geotrace', 'geotrace'],
  ['geoshape', 'geoshape'],
  ['barcode', 'barcode'],
])

const metaTypes = new Map([
  ['instanceID', 'instance_id'],
  ['instanceName', 'instance_name'],
  ['audit', 'audit'],
])

/**
 * The type of a question, told from the XForm alone, so that a form means the same to a server whether it was
 * compiled here or came as XForm. A note is what can never have a value; a text that can is a text, read-only or not.
 */
export const questionType = (features: TypeFeatures): string => {
  const { control, dataType, action } = features
  if (control === null) return hiddenType(features)
  const byControl = controls.get(control)
  if (byControl !== undefined) return byControl
  if (control === 'upload') return uploadType(features.mediatype)
  if (control === 'trigger') return action === 'background-geopoint' ? action : 'acknowledge'
  if (features.hasQuery) return 'select_one_external'
  const byData = inputs.get(dataType ?? '')
  if (byData !== undefined) return byData
  const isNote = features.readonly === 'true()' && features.calculate === null && !features.hasValue
  return isNote ? 'note' : 'text'
}

const uploadType = (mediatype: string | null): string => {
  const kind = mediatype?.split('/')[0] ?? ''
  return ['image', 'audio', 'video', 'osm'].includes(kind) ? kind : 'file'
}

const hiddenType = (features: TypeFeatures): string => {
  const { preload, preloadParams, action, metaName } = features
  const meta = metaTypes.get(metaName ?? '')
  if (meta !== undefined) return meta
  if (action !== null) return action
  if (preload === 'date' && preloadParams === 'today') return 'today'
  if ((preload === 'timestamp' || preload === 'property') && preloadParams !== null) return preloadParams
  return features.calculate !== null || features.hasValue ? 'calculate' : 'hidden'
}
