import type { SurveyContext } from './context.js'
import { type FormNode, given } from './node.js'
import type { Parameters } from './parameters.js'
import { readRange } from './range.js'

type Reader = (node: FormNode, parameters: Parameters, context: SurveyContext) => void

const packageName = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/

const readText: Reader = (node, parameters) => {
  parameters.allow('A text question', ['rows'])
  const rows = parameters.integer('rows')
  if (rows !== undefined) node.setControl('rows', given(rows))
}

const readImage: Reader = (node, parameters, { warnings }) => {
  parameters.allow('An image', ['max-pixels', 'app'])
  const pixels = parameters.integer('max-pixels')
  if (pixels !== undefined) node.bind.set('orx:max-pixels', given(pixels))
  else if (parameters.get('max-pixels') === undefined)
    warnings.add(
      'image-without-max-pixels',
      `The image '${node.name}' has no max-pixels, so photos are sent in full size. Set the parameter max-pixels=1024 or so.`,
      { sheet: 'survey', row: node.row, column: 'parameters' },
    )
  const app = parameters.get('app')
  if (app === undefined) return
  // Where nothing but the client's own screen can draw, such as a signature, no app is asked.
  const appearance = node.control.get('appearance')?.text ?? ''
  if (appearance !== '' && appearance !== 'annotate') return
  if (packageName.test(app)) node.setControl('intent', given(app))
  else
    parameters.report(
      'invalid-parameter',
      `The parameter app must be an Android package such as com.example.app, not '${app}'.`,
    )
}

const readAudio: Reader = (node, parameters) => {
  parameters.allow('An audio question', ['quality'])
  const quality = parameters.word('quality', ['voice-only', 'low', 'normal', 'external'])
  if (quality !== undefined) node.bind.set('odk:quality', given(quality))
}

const readBackgroundAudio: Reader = (node, parameters) => {
  parameters.allow('background-audio', ['quality'])
  const quality = parameters.word('quality', ['voice-only', 'low', 'normal']) ?? null
  node.startAction = { element: 'odk:recordaudio', event: 'odk-instance-load', quality }
}

const readMockAccuracy = (node: FormNode, parameters: Parameters): void => {
  const mock = parameters.word('allow-mock-accuracy', ['true', 'false'])
  if (mock !== undefined) node.bind.set('odk:allow-mock-accuracy', given(mock))
}

const readReferenceGeometry = (node: FormNode, parameters: Parameters): void => {
  const geometry = parameters.get('reference-geometry')
  if (geometry !== undefined) node.referenceGeometry = { ...(parameters.source ?? given('')), text: geometry }
}

const readGeopoint: Reader = (node, parameters) => {
  parameters.allow('A geopoint', ['capture-accuracy', 'warning-accuracy', 'allow-mock-accuracy', 'reference-geometry'])
  const capture = parameters.number('capture-accuracy')
  const warning = parameters.number('warning-accuracy')
  if (capture !== undefined) node.setControl('accuracyThreshold', given(capture))
  if (warning !== undefined) node.setControl('unacceptableAccuracyThreshold', given(warning))
  readMockAccuracy(node, parameters)
  readReferenceGeometry(node, parameters)
}

const readLine: Reader = (node, parameters) => {
  parameters.allow('A geotrace or geoshape', ['allow-mock-accuracy', 'incremental', 'reference-geometry'])
  if (parameters.word('incremental', ['true', 'yes']) !== undefined) node.setControl('incremental', given('true'))
  readMockAccuracy(node, parameters)
  readReferenceGeometry(node, parameters)
}

const readStartGeopoint: Reader = (node, parameters) => {
  parameters.allow('start-geopoint', ['allow-mock-accuracy'])
  readMockAccuracy(node, parameters)
  node.startAction = { element: 'odk:setgeopoint', event: 'odk-instance-first-load', quality: null }
}

const readers: ReadonlyMap<string, Reader> = new Map([
  ['text', readText],
  ['image', readImage],
  ['audio', readAudio],
  ['background-audio', readBackgroundAudio],
  ['geopoint', readGeopoint],
  ['geotrace', readLine],
  ['geoshape', readLine],
  ['start-geopoint', readStartGeopoint],
  ['range', readRange],
])

/** Reads what the parameters of a plain question mean for its type. */
export const readTypeParameters: Reader = (node, parameters, context) => {
  const reader = readers.get(node.type?.name ?? '')
  if (reader === undefined) parameters.allow(`A question of type ${node.type?.name ?? '?'}`, [])
  else reader(node, parameters, context)
}

const auditWords = {
  'track-changes': ['true', 'false'],
  'track-changes-reasons': ['on-form-edit'],
  'identify-user': ['true', 'false'],
  'location-priority': ['no-power', 'low-power', 'balanced', 'high-accuracy'],
} as const

/** Parameters of the audit log, all of them attributes of its bind. */
export const readAuditParameters = (node: FormNode, parameters: Parameters): void => {
  const intervals = ['location-min-interval', 'location-max-age'] as const
  parameters.allow('audit', [...Object.keys(auditWords), ...intervals])
  for (const [key, words] of Object.entries(auditWords)) {
    const value = parameters.word(key, words)
    if (value !== undefined) node.bind.set(`odk:${key}`, given(value))
  }
  const [interval, age] = intervals.map((key) => parameters.integer(key))
  if (interval !== undefined) node.bind.set('odk:location-min-interval', given(interval))
  if (age !== undefined) node.bind.set('odk:location-max-age', given(age))
  const location = ['location-priority', ...intervals].filter((key) => parameters.get(key) !== undefined)
  if (location.length > 0 && location.length < 3)
    parameters.report(
      'invalid-parameter',
      'To log locations, give all of location-priority, location-min-interval and location-max-age.',
    )
  if (interval !== undefined && age !== undefined && Number(age) < Number(interval))
    parameters.report('invalid-parameter', 'location-max-age must not be smaller than location-min-interval.')
}
