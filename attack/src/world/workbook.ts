// Workbooks that are not what they say: made by hand, since no library writes them.
import { crc32, deflateRawSync } from 'node:zlib'

interface Entry {
  readonly name: string
  readonly bytes: Buffer
}

const header = (signature: number, entry: Entry, packed: Buffer, fields: number[]): Buffer => {
  const head = Buffer.alloc(26)
  head.writeUInt32LE(signature, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(crc32(entry.bytes), 14)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(entry.bytes.length, 22)
  const rest = Buffer.alloc(4)
  rest.writeUInt16LE(entry.name.length, 0)
  return Buffer.concat([head, rest, ...fields.map((field) => Buffer.from([field & 255, field >> 8]))])
}

const zip = (entries: readonly Entry[]): Buffer => {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const packed = deflateRawSync(entry.bytes)
    const file = Buffer.concat([header(0x04034b50, entry, packed, []), Buffer.from(entry.name), packed])
    // In the directory there are two bytes more before, and the comment, disk, kinds and place after.
    const local = header(0x02014b50, entry, packed, [])
    const place = Buffer.alloc(4)
    place.writeUInt32LE(at)
    directory.push(
      Buffer.concat([
        local.subarray(0, 4),
        Buffer.from([20, 0]),
        local.subarray(4),
        Buffer.alloc(10),
        place,
        Buffer.from(entry.name),
      ]),
    )
    files.push(file)
    at += file.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, listed, end])
}

const sheet = (rows: string, dimension: string): string =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="${dimension}"/><sheetData>${rows}</sheetData></worksheet>`

const cell = (ref: string, text: string): string => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`

const book = (sheets: readonly { name: string; xml: string }[]): Buffer => {
  const main = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const names = sheets.map(
    ({ name }, number) => `<sheet name="${name}" sheetId="${number + 1}" r:id="r${number + 1}"/>`,
  )
  const links = sheets.map(
    (_, number) =>
      `<Relationship Id="r${number + 1}" Type="${main}/worksheet" Target="worksheets/sheet${number + 1}.xml"/>`,
  )
  const types = sheets.map(
    (_, number) =>
      `<Override PartName="/xl/worksheets/sheet${number + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
  )
  const text = (name: string, xml: string): Entry => ({ name, bytes: Buffer.from(xml) })
  return zip([
    text(
      '[Content_Types].xml',
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${types.join('')}</Types>`,
    ),
    text(
      '_rels/.rels',
      `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${main}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    text(
      'xl/workbook.xml',
      `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${main}"><sheets>${names.join('')}</sheets></workbook>`,
    ),
    text(
      'xl/_rels/workbook.xml.rels',
      `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join('')}</Relationships>`,
    ),
    ...sheets.map(({ xml }, number) => text(`xl/worksheets/sheet${number + 1}.xml`, xml)),
  ])
}

/** Two cells, the second of them so far down. */
export const farCell = (row: number): Buffer =>
  book([
    {
      name: 'data',
      xml: sheet(`<row r="1">${cell('A1', 'name')}</row><row r="${row}">${cell(`A${row}`, 'x')}</row>`, `A1:A${row}`),
    },
  ])

/** Two cells, the second of them so far to the right, by its number. */
export const wideCell = (row: number): Buffer =>
  book([
    {
      name: 'survey',
      xml: sheet(
        `<row r="1">${cell('A1', 'type')}${cell('XFD1', 'name')}</row><row r="${row}">${cell(`A${row}`, 'text')}</row>`,
        `A1:XFD${row}`,
      ),
    },
  ])

/** Text that packs well: so many megabytes of it. */
export const packedText = (megabytes: number): Buffer =>
  book([{ name: 'survey', xml: sheet(`<row r="1">${cell('A1', 'a'.repeat(megabytes * 1_000_000))}</row>`, 'A1') }])

export const manySheets = (count: number): Buffer =>
  book(Array.from({ length: count }, (_, number) => ({ name: `s${number}`, xml: sheet('', 'A1') })))
