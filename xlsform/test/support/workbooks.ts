import { utils, write } from '@e965/xlsx'

export type Cells = (string | number | boolean | Date | null)[][]

/** Real workbook bytes out of rows of cells. */
export const workbook = (sheets: Record<string, Cells>, bookType: 'xlsx' | 'xlsm' | 'biff8' = 'xlsx'): Uint8Array => {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  return new Uint8Array(write(book, { type: 'array', bookType, bookSST: true, compression: true }))
}

export const text = (content: string): Uint8Array => new TextEncoder().encode(content)

/** A zip of uncompressed parts, made by hand so that its directory can be made to lie. */
export const zip = (
  parts: {
    name: string
    content: Uint8Array
    method?: number
    declaredSize?: number
    packedSize?: number
    isLarge?: boolean
  }[],
): Uint8Array => {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, method = 0, declaredSize = content.length, isLarge = false } of parts) {
    const nameBytes = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(content.length, 18)
    local.writeUInt32LE(declaredSize, 22)
    local.writeUInt16LE(nameBytes.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt32LE(declaredSize, 24)
    entry.writeUInt16LE(nameBytes.length, 28)
    entry.writeUInt32LE(offset, 42)
    const extra = Buffer.alloc(isLarge ? 28 : 0)
    if (isLarge) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      for (const [index, number] of [declaredSize, content.length, offset].entries())
        extra.writeBigUInt64LE(BigInt(number), 4 + 8 * index)
      for (const position of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, position)
      entry.writeUInt16LE(extra.length, 30)
    }
    locals.push(local, nameBytes, Buffer.from(content))
    directory.push(entry, nameBytes, extra)
    offset += local.length + nameBytes.length + content.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...locals, directoryBytes, end]))
}

/** An .xlsx whose one sheet is given as raw XML. */
export const rawXlsx = (
  sheetXml: string,
  extra: { strings?: string; styles?: string; workbookPr?: string; isLarge?: boolean } = {},
): Uint8Array =>
  zip(
    [
      {
        name: 'xl/workbook.xml',
        content: `<workbook>${extra.workbookPr ?? ''}<sheets><sheet name="survey" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content:
          '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>' +
          '<Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/>' +
          '<Relationship Id="rId3" Type="x/styles" Target="styles.xml"/></Relationships>',
      },
      { name: 'xl/worksheets/sheet1.xml', content: sheetXml },
      { name: 'xl/sharedStrings.xml', content: extra.strings ?? '' },
      { name: 'xl/styles.xml', content: extra.styles ?? '' },
    ].map(({ name, content }) => ({ name, content: text(content), isLarge: extra.isLarge ?? false })),
  )
