export type Control = 'input' | 'select1' | 'select' | 'odk:rank' | 'upload' | 'range' | 'trigger'

/** What a question type brings along; a row's own columns override it. */
export interface TypeRule {
  /** The one name of the type, whatever spelling the sheet uses. */
  name: string
  control: Control | null
  bind: readonly (readonly [string, string])[]
  attributes?: readonly (readonly [string, string])[]
  hint?: string
}

const rule = (
  name: string,
  control: Control | null,
  bindType: string | null,
  extra: Partial<Pick<TypeRule, 'attributes' | 'hint'>> & { bind?: [string, string][] } = {},
): TypeRule => ({
  name,
  control,
  ...extra,
  bind: [...(bindType === null ? [] : [['type', bindType] as [string, string]]), ...(extra.bind ?? [])],
})

const upload = (name: string, mediatype: string): TypeRule =>
  rule(name, 'upload', 'binary', { attributes: [['mediatype', mediatype]] })

const preload = (name: string, type: string, kind: string, parameter = name): TypeRule =>
  rule(name, null, type, {
    bind: [
      ['jr:preload', kind],
      ['jr:preloadParams', parameter],
    ],
  })

const property = (name: string): TypeRule => preload(name, 'string', 'property')

const days = (most: number): TypeRule =>
  rule('integer', 'input', 'int', {
    bind: [['constraint', `0 <= . and . <= ${most}`]],
    hint: `Enter a number 0-${most}.`,
  })

export const selectRules = {
  one: rule('select_one', 'select1', 'string'),
  multiple: rule('select_multiple', 'select', 'string'),
  rank: rule('rank', 'odk:rank', 'odk:rank'),
  external: rule('select_one_external', 'input', 'string'),
} as const

export const osmRule = upload('osm', 'osm/*')
export const textRule = rule('text', 'input', 'string')
export const noteRule = rule('note', 'input', 'string', { bind: [['readonly', 'true()']] })
export const calculateRule = rule('calculate', null, 'string')
export const auditRule = rule('audit', null, 'binary')

const table: [TypeRule, ...string[]][] = [
  [textRule, 'text', 'string', 'q string', 'add text prompt'],
  [rule('integer', 'input', 'int'), 'integer', 'int', 'q int', 'add integer prompt'],
  [rule('decimal', 'input', 'decimal'), 'decimal', 'q decimal', 'add decimal prompt'],
  [rule('date', 'input', 'date'), 'date', 'q date', 'add date prompt'],
  [rule('time', 'input', 'time'), 'time'],
  [
    rule('dateTime', 'input', 'dateTime'),
    ...[
      'dateTime',
      'datetime',
      'date time',
      'q dateTime',
      'q date time',
      'add dateTime prompt',
      'add date time prompt',
    ],
  ],
  [noteRule, 'note', 'q note', 'add note prompt'],
  [
    rule('geopoint', 'input', 'geopoint'),
    ...['geopoint', 'gps', 'location', 'q geopoint', 'q location', 'add location prompt'],
  ],
  [rule('geotrace', 'input', 'geotrace'), 'geotrace', 'q geotrace'],
  [rule('geoshape', 'input', 'geoshape'), 'geoshape', 'q geoshape'],
  [rule('barcode', 'input', 'barcode'), 'barcode', 'q barcode', 'add barcode prompt'],
  [upload('image', 'image/*'), 'image', 'photo', 'q image', 'q picture', 'add image prompt', 'add photo prompt'],
  [upload('audio', 'audio/*'), 'audio', 'q audio', 'add audio prompt'],
  [upload('video', 'video/*'), 'video', 'q video', 'add video prompt'],
  [upload('file', 'application/*'), 'file', 'add file prompt'],
  [osmRule, 'osm'],
  [rule('range', 'range', 'int'), 'range'],
  [rule('acknowledge', 'trigger', 'string'), 'acknowledge', 'q acknowledge', 'add acknowledge prompt'],
  [rule('acknowledge', 'trigger', null), 'trigger'],
  [calculateRule, 'calculate', 'q calculate', 'add calculate prompt'],
  [rule('hidden', null, 'string'), 'hidden'],
  [preload('start', 'dateTime', 'timestamp'), 'start', 'start time', 'get start time'],
  [preload('end', 'dateTime', 'timestamp'), 'end', 'end time', 'get end time'],
  [preload('today', 'date', 'date'), 'today', 'get today'],
  [property('deviceid'), 'deviceid', 'device id', 'get device id', 'imei'],
  [property('phonenumber'), 'phonenumber', 'get phone number'],
  [property('username'), 'username'],
  [property('email'), 'email'],
  [property('subscriberid'), 'subscriberid', 'subscriber id', 'get subscriber id'],
  [property('simserial'), 'simserial', 'sim id', 'get sim id'],
  ...['deviceid', 'phonenumber', 'simserial', 'subscriberid', 'username', 'email'].map((name): [TypeRule, string] => [
    property(`uri:${name}`),
    `uri:${name}`,
  ]),
  [auditRule, 'audit'],
  [rule('start-geopoint', null, 'geopoint'), 'start-geopoint'],
  [rule('background-geopoint', null, 'geopoint'), 'background-geopoint'],
  [rule('background-audio', null, 'binary'), 'background-audio'],
  [rule('xml-external', null, null), 'xml-external'],
  [rule('csv-external', null, null), 'csv-external'],
  [
    rule('text', 'input', 'string', { bind: [['constraint', "regex(., '^\\d*$')"]], hint: 'Enter numbers only.' }),
    'phone number',
  ],
  [rule('integer', 'input', 'int', { bind: [['constraint', '0 <= . and . <= 100']] }), 'percentage'],
  [days(31), 'number of days in last month'],
  [days(183), 'number of days in last six months'],
  [days(365), 'number of days in last year'],
]

/** Every spelling of every plain type. */
export const typeRules: ReadonlyMap<string, TypeRule> = new Map(
  table.flatMap(([one, ...names]) => names.map((name): [string, TypeRule] => [name, one])),
)

/** The spellings worth suggesting when a type is misspelt. */
export const commonTypeNames = [
  ...typeRules.keys(),
  'select_one',
  'select_multiple',
  'rank',
  'select_one_from_file',
  'select_multiple_from_file',
  'select_one_external',
  'begin_group',
  'end_group',
  'begin_repeat',
  'end_repeat',
  'begin group',
  'end group',
  'begin repeat',
  'end repeat',
]
