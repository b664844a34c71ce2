import fc from 'fast-check'

type Cells = Record<string, string>

interface Question {
  kind: 'question'
  cells: Cells
}

interface Container {
  kind: 'group' | 'repeat'
  cells: Cells
  children: Item[]
}

type Item = Question | Container

const languages = ['English (en)', 'French (fr)']

// Any text an author can type, mixed with references to questions that always exist.
const words = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    '<b>&"q"\'',
    'A ${first}',
    '${first} and ${last-saved#first}',
    '-',
    ' two\nlines ',
    'é中',
    "See instance('l1')/root/item[name = ${first}]/label.",
  ),
)
// A NUL is refused as no text at all, and a stray dollar could become half a reference.
const label = words.map((word) => (word.includes('${') ? word : word.replace(/[\0$]/g, '')))

const optional = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.option(arbitrary, { nil: '', freq: 2 })

const texts = (column: string): fc.Arbitrary<Cells> =>
  fc.tuple(optional(label), optional(label), optional(label)).map(([bare, english, french]) => ({
    [column]: bare,
    [`${column}::${languages[0]}`]: english,
    [`${column}::${languages[1]}`]: french,
  }))

const merged = (...parts: fc.Arbitrary<Cells>[]): fc.Arbitrary<Cells> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all))

const expression = fc.constantFrom(
  '',
  '',
  "${first} != 'x'",
  '. > 3',
  'yes',
  "count(${first}) < 3 and string-length('<&>') = 3",
  '1 = 1\nor 2 = 2',
)

const bind = fc.record({
  relevant: expression,
  required: expression,
  constraint: expression,
  read_only: fc.constantFrom('', '', 'yes'),
})

const shown = merged(
  texts('label'),
  texts('hint'),
  texts('constraint_message'),
  fc.record({
    guidance_hint: optional(label),
    image: fc.constantFrom('', '', 'a.png'),
    'audio::French (fr)': fc.constantFrom('', '', 'a.mp3'),
    appearance: fc.constantFrom('', 'minimal', 'w1'),
  }),
  bind,
)

const typed: fc.Arbitrary<Cells> = fc.oneof(
  fc
    .constantFrom(
      'text',
      'integer',
      'decimal',
      'date',
      'note',
      'geopoint',
      'image',
      'barcode',
      'acknowledge',
      'trigger',
      'range',
      'hidden',
      'today',
      'username',
      'start-geopoint',
      'background-audio',
    )
    .map((type) => ({ type })),
  fc
    .constantFrom(
      'select_one l1',
      'select_multiple l2',
      'rank l1',
      'select_one l2 or_other',
      'select_one_from_file f.csv',
      'select_one ${first}',
    )
    .map((type) => ({ type })),
  fc.constantFrom('1 + 1', 'concat(${first}, 1)').map((calculation) => ({ type: 'calculate', calculation })),
  fc
    .constantFrom('today()', 'static & sound', '${last-saved#first}')
    .map((value) => ({ type: 'text', default: value })),
  fc.constantFrom('now()', '').map((calculation) => ({ type: 'text', trigger: '${first}', calculation })),
)

const question: fc.Arbitrary<Question> = fc
  .tuple(typed, shown)
  .map(([type, rest]) => ({ kind: 'question', cells: { ...rest, fallback: 'yes', ...type } }))

const { item } = fc.letrec<{ item: Item; container: Container }>((tie) => ({
  container: fc.record({
    kind: fc.constantFrom('group' as const, 'repeat' as const),
    cells: merged(
      texts('label'),
      bind,
      fc.record({
        repeat_count: fc.constantFrom('', '', '2', '${first}'),
        appearance: fc.constantFrom('', 'field-list'),
        image: fc.constantFrom('', 'g.png'),
      }),
    ),
    children: fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
  }),
  item: fc.oneof({ depthSize: 'small', withCrossShrink: true }, question, tie('container')),
}))

const choice = merged(texts('label'), fc.record({ image: fc.constantFrom('', '', 'c.png'), region: optional(label) }))

const settings = fc.record({
  form_title: optional(fc.string({ maxLength: 8 }).map((title) => title.replaceAll('$', ''))),
  version: fc.constantFrom('', '7'),
  default_language: fc.constantFrom('', languages[0] ?? ''),
  style: fc.constantFrom('', 'pages'),
  flat: fc.constantFrom('', '', 'yes'),
})

const csv = (sheet: string, rows: Cells[]): string => {
  const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((header) => header !== 'fallback')
  const field = (value: string): string => `"${value.replaceAll('"', '""')}"`
  return [
    sheet,
    ...[headers, ...rows.map((row) => headers.map((header) => row[header] ?? ''))].map(
      (cells) => `,${cells.map(field).join(',')}`,
    ),
  ].join('\n')
}

/** Rows in order, each element with a name of its own. */
const surveyRows = (items: Item[]): Cells[] => {
  let count = 0
  const rows: Cells[] = [{ type: 'text', name: 'first', label: 'First' }]
  const add = (list: Item[], isInRepeat: boolean): void => {
    for (const one of list) {
      count += 1
      const name = `n${count}`
      if (one.kind === 'question') {
        const isShown = ['label', 'hint', 'image', `label::${languages[0]}`].some(
          (key) => (one.cells[key] ?? '').trim() !== '',
        )
        // From outside of a repeat no client can tell which of its instances a trigger means.
        const trigger = isInRepeat ? '' : (one.cells.trigger ?? '')
        rows.push({ ...one.cells, name, trigger, ...(isShown ? {} : { label: 'Shown' }) })
        continue
      }
      rows.push({ ...one.cells, name, type: `begin ${one.kind}` })
      add(one.children, isInRepeat || one.kind === 'repeat')
      rows.push({ type: `end ${one.kind}` })
    }
  }
  add(items, false)
  return rows
}

const formText = (items: Item[], lists: Cells[][], setting: Cells): string =>
  [
    csv('survey', surveyRows(items)),
    csv(
      'choices',
      lists.flatMap((list, index) =>
        // A list without a single label has nothing for a client to show.
        [{ label: 'First' }, ...list].map((row, position) => ({
          list_name: `l${index + 1}`,
          name: `c${position}`,
          ...row,
        })),
      ),
    ),
    csv('settings', [{ form_id: 'f', ...setting }]),
  ].join('\n')

/** Any form an author may write, in the CSV dialect. */
export const randomForm: fc.Arbitrary<string> = fc
  .record({
    items: fc.array(item, { minLength: 1, maxLength: 6 }),
    lists: fc.tuple(...[1, 2].map(() => fc.array(choice, { minLength: 1, maxLength: 3 }))),
    setting: settings,
  })
  .map(({ items, lists, setting }) => formText(items, lists, setting))
