// Real spreadsheets, as spreadsheet programs write them.
import { deflateRawSync } from 'node:zlib'
import { utils, write } from '@e965/xlsx'

export type Cells = readonly (readonly (string | number)[])[]

export const workbook = (sheets: Readonly<Record<string, Cells>>, bookType: 'xlsx' | 'biff8' = 'xlsx'): Buffer => {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), name)
  }
  return Buffer.from(write(book, { type: 'array', bookType, compression: true }))
}

export const visitWorkbook = (settings: Readonly<Record<string, string>> = {}, bookType?: 'xlsx' | 'biff8'): Buffer =>
  workbook(
    {
      survey: [
        ['type', 'name', 'label'],
        ['integer', 'age', 'Your age?'],
        ['select_one sex', 'sex', 'Sex'],
      ],
      choices: [
        ['list_name', 'name', 'label'],
        ['sex', 'f', 'Female'],
        ['sex', 'm', 'Male'],
      ],
      ...(Object.keys(settings).length > 0 && { settings: [Object.keys(settings), Object.values(settings)] }),
    },
    bookType,
  )

/** A zip of one part. What it declares is up to the caller: a directory can lie. */
export const zipOf = (name: string, content: Buffer, declaredSize = content.length): Buffer => {
  const packed = deflateRawSync(content)
  const nameBytes = Buffer.from(name)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(declaredSize, 22)
  local.writeUInt16LE(nameBytes.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(declaredSize, 24)
  entry.writeUInt16LE(nameBytes.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length + nameBytes.length, 12)
  end.writeUInt32LE(local.length + nameBytes.length + packed.length, 16)
  return Buffer.concat([local, nameBytes, packed, entry, nameBytes, end])
}
