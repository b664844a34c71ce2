// Every type of question as data: what it asks for, and what its row may say.

/** Where a type of question belongs in a menu. */
export type TypeGroup =
  | 'words'
  | 'numbers'
  | 'choices'
  | 'times'
  | 'places'
  | 'media'
  | 'structure'
  | 'unseen'
  | 'files'

export interface TypeParameter {
  readonly name: string
  readonly explanation: string
  readonly example: string
}

export interface QuestionType {
  /** As it is written in a type cell, without a list. */
  readonly name: string
  readonly title: string
  readonly group: TypeGroup
  readonly explanation: string
  /** What stands behind the name: a list of that sheet, or a file. */
  readonly takes: 'choices' | 'external_choices' | 'osm' | 'file' | null
  /** Whether people see it, so that it needs a label. */
  readonly isShown: boolean
  /** Columns that it needs besides type, name and label. */
  readonly needs: readonly string[]
  readonly parameters: readonly TypeParameter[]
  /** Words for the column appearance that clients know. */
  readonly appearances: readonly string[]
}

type Given = Pick<QuestionType, 'name' | 'title' | 'explanation'> & Partial<QuestionType>

const ofGroup = (group: TypeGroup, ...types: Given[]): QuestionType[] =>
  types.map((type) => ({
    takes: null,
    isShown: true,
    needs: [],
    parameters: [],
    appearances: [],
    ...type,
    group,
  }))

const unseen = (...types: Given[]): QuestionType[] =>
  ofGroup('unseen', ...types.map((type) => ({ isShown: false, ...type })))

const parameter = (name: string, example: string, explanation: string): TypeParameter => ({
  name,
  example,
  explanation,
})

const randomize = [
  parameter('randomize', 'true', 'Shows the choices in an order of chance.'),
  parameter('seed', '5', 'The same seed gives the same order; a number or one reference. Needs randomize=true.'),
]
const ofFile = [
  ...randomize,
  parameter('value', 'code', 'The column of the file that holds the names of choices.'),
  parameter('label', 'title', 'The column of the file that holds their labels.'),
]
const mock = parameter('allow-mock-accuracy', 'true', 'Takes places from programs that make them up, too.')
const geometry = parameter('reference-geometry', 'sites', 'A list, file or repeat whose places are shown on the map.')
const incremental = parameter('incremental', 'true', 'Hands on every point at once.')
const quality = (words: string): TypeParameter => parameter('quality', 'low', `How good the sound is: ${words}.`)
const lists = [
  'minimal',
  'autocomplete',
  'quick',
  'columns',
  'columns-pack',
  'columns-2',
  'no-buttons',
  'likert',
  'map',
  'label',
  'list-nolabel',
  'list',
]
const maps = ['maps', 'placement-map']

/** Every type of question that is worth offering; older spellings are understood as well. */
export const questionTypes: readonly QuestionType[] = [
  ...ofGroup(
    'words',
    {
      name: 'text',
      title: 'Text',
      explanation: 'Words of any length.',
      parameters: [parameter('rows', '5', 'How many lines the box shows.')],
      appearances: ['multiline', 'numbers', 'url'],
    },
    { name: 'note', title: 'Note', explanation: 'Something to read; nothing is asked.' },
    {
      name: 'barcode',
      title: 'Barcode',
      explanation: 'A barcode or QR code, scanned with the camera.',
      appearances: ['front'],
    },
    { name: 'acknowledge', title: 'Acknowledge', explanation: 'One box to tick.' },
  ),
  ...ofGroup(
    'numbers',
    {
      name: 'integer',
      title: 'Whole number',
      explanation: 'A number without a point.',
      appearances: ['thousands-sep', 'counter', 'bearing'],
    },
    {
      name: 'decimal',
      title: 'Number',
      explanation: 'A number, with a point where it needs one.',
      appearances: ['thousands-sep', 'bearing'],
    },
    {
      name: 'range',
      title: 'Range',
      explanation: 'A number on a scale.',
      parameters: [
        parameter('start', '0', 'The first number; 1 if not given.'),
        parameter('end', '10', 'The last number; 10 if not given.'),
        parameter('step', '1', 'From one number to the next; 1 if not given.'),
        parameter('tick_interval', '5', 'From one tick to the next.'),
        parameter('placeholder', '5', 'Where the scale shows its handle before there is an answer.'),
        parameter('tick_labelset', 'sites', 'A list whose names are ticks and whose labels stand there.'),
      ],
      appearances: ['vertical', 'no-ticks', 'picker', 'rating'],
    },
  ),
  ...ofGroup(
    'choices',
    {
      name: 'select_one',
      title: 'One choice',
      explanation: 'One choice of a list.',
      takes: 'choices',
      parameters: randomize,
      appearances: lists,
    },
    {
      name: 'select_multiple',
      title: 'Several choices',
      explanation: 'Any number of choices of a list.',
      takes: 'choices',
      parameters: randomize,
      appearances: lists.filter((one) => one !== 'quick' && one !== 'likert'),
    },
    {
      name: 'rank',
      title: 'Ranking',
      explanation: 'The choices of a list, put in order.',
      takes: 'choices',
      parameters: randomize,
    },
    {
      name: 'select_one_from_file',
      title: 'One choice from a file',
      explanation: 'One choice of an attached file: .csv, .xml or .geojson.',
      takes: 'file',
      parameters: ofFile,
      appearances: lists,
    },
    {
      name: 'select_multiple_from_file',
      title: 'Several choices from a file',
      explanation: 'Any number of choices of an attached file.',
      takes: 'file',
      parameters: ofFile,
      appearances: lists,
    },
    {
      name: 'select_one_external',
      title: 'One choice of a very long list',
      explanation: 'One choice of a list on the sheet external_choices, which is searched on the device.',
      takes: 'external_choices',
      needs: ['choice_filter'],
    },
  ),
  ...ofGroup(
    'times',
    {
      name: 'date',
      title: 'Date',
      explanation: 'A day.',
      appearances: [
        'no-calendar',
        'month-year',
        'year',
        'ethiopian',
        'coptic',
        'islamic',
        'bikram-sambat',
        'myanmar',
        'persian',
      ],
    },
    { name: 'time', title: 'Time', explanation: 'A time of day.' },
    { name: 'dateTime', title: 'Date and time', explanation: 'A day with a time.', appearances: ['no-calendar'] },
  ),
  ...ofGroup(
    'places',
    {
      name: 'geopoint',
      title: 'Place',
      explanation: 'One place.',
      parameters: [
        parameter('capture-accuracy', '5', 'Metres at which a place is taken by itself.'),
        parameter('warning-accuracy', '100', 'Metres above which a place is called poor.'),
        mock,
        geometry,
      ],
      appearances: maps,
    },
    {
      name: 'geotrace',
      title: 'Line',
      explanation: 'A line of places.',
      parameters: [mock, incremental, geometry],
      appearances: maps,
    },
    {
      name: 'geoshape',
      title: 'Area',
      explanation: 'An area within a line of places.',
      parameters: [mock, incremental, geometry],
      appearances: maps,
    },
    {
      name: 'osm',
      title: 'OpenStreetMap',
      explanation: 'Something of OpenStreetMap, with tags of the sheet osm.',
      takes: 'osm',
    },
  ),
  ...ofGroup(
    'media',
    {
      name: 'image',
      title: 'Picture',
      explanation: 'A photo, drawing or signature.',
      parameters: [
        parameter('max-pixels', '1024', 'The longer side at most; larger pictures are made smaller.'),
        parameter('app', 'com.example.camera', 'The Android program that takes the picture.'),
      ],
      appearances: ['signature', 'draw', 'annotate', 'new', 'new-front'],
    },
    {
      name: 'audio',
      title: 'Sound',
      explanation: 'A recording.',
      parameters: [quality('voice-only, low, normal or external')],
    },
    { name: 'video', title: 'Video', explanation: 'A film.', appearances: ['new', 'new-front'] },
    { name: 'file', title: 'File', explanation: 'Any file of the device.' },
  ),
  ...ofGroup(
    'structure',
    {
      name: 'begin_group',
      title: 'Group',
      explanation: 'Begins questions that belong together, up to end_group.',
      appearances: ['field-list', 'table-list'],
    },
    { name: 'end_group', title: 'End of a group', explanation: 'Ends the group that began last.', isShown: false },
    {
      name: 'begin_repeat',
      title: 'Repeat',
      explanation: 'Begins questions that are asked again and again, up to end_repeat; repeat_count says how often.',
      appearances: ['field-list'],
    },
    { name: 'end_repeat', title: 'End of a repeat', explanation: 'Ends the repeat that began last.', isShown: false },
    {
      name: 'begin_loop',
      title: 'Loop',
      explanation: 'Begins questions that are asked for each choice of a list, up to end_loop.',
      takes: 'choices',
    },
    { name: 'end_loop', title: 'End of a loop', explanation: 'Ends the loop that began last.', isShown: false },
  ),
  ...unseen(
    {
      name: 'calculate',
      title: 'Calculation',
      explanation: 'A value that the form works out; nobody sees it.',
      needs: ['calculation'],
    },
    { name: 'hidden', title: 'Hidden', explanation: 'A value that nobody sees, such as a default.' },
    { name: 'start', title: 'Start', explanation: 'When the form was opened.' },
    { name: 'end', title: 'End', explanation: 'When the form was saved last.' },
    { name: 'today', title: 'Day', explanation: 'The day on which the form was filled in.' },
    { name: 'username', title: 'User', explanation: 'Who is signed in on the device.' },
    { name: 'deviceid', title: 'Device', explanation: 'Which device it was.' },
    { name: 'phonenumber', title: 'Phone number', explanation: 'The number that is set on the device.' },
    { name: 'email', title: 'E-mail', explanation: 'The address that is set on the device.' },
    {
      name: 'start-geopoint',
      title: 'Place of the start',
      explanation: 'Where the form was opened.',
      parameters: [mock],
    },
    {
      name: 'background-geopoint',
      title: 'Place of an answer',
      explanation: 'Where the device is when the question of the column trigger is answered.',
      needs: ['trigger'],
    },
    {
      name: 'background-audio',
      title: 'Sound of the whole form',
      explanation: 'A recording while the form is filled in.',
      parameters: [quality('voice-only, low or normal')],
    },
    {
      name: 'audit',
      title: 'Log',
      explanation: 'A log of how the form was filled in. Its name is audit.',
      parameters: [
        parameter('track-changes', 'true', 'Logs answers and what they were before.'),
        parameter('track-changes-reasons', 'on-form-edit', 'Asks why a record that was sent is changed.'),
        parameter('identify-user', 'true', 'Asks who fills in the form.'),
        parameter(
          'location-priority',
          'balanced',
          'How exactly places are logged: no-power, low-power, balanced or high-accuracy.',
        ),
        parameter('location-min-interval', '60', 'Seconds between two places at least.'),
        parameter('location-max-age', '120', 'Seconds after which a place is too old.'),
      ],
    },
  ),
  ...ofGroup(
    'files',
    {
      name: 'csv-external',
      title: 'Table for expressions',
      explanation: 'An attached .csv file that expressions read by instance().',
      isShown: false,
    },
    {
      name: 'xml-external',
      title: 'XML for expressions',
      explanation: 'An attached .xml file that expressions read by instance().',
      isShown: false,
    },
  ),
]
