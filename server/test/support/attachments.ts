// Forms with files, records that carry some, and images of every kind.
import { createDeflate } from 'node:zlib'
import sharp from 'sharp'
import { sql } from '../../src/platform/db/index.js'
import type { Account, TestApp } from './app.js'
import { type PublishedForm, publish, sheet } from './forms.js'
import { instance, newId, type SentFile, send } from './submissions.js'

export const photoForm = (app: TestApp, owner: Account): Promise<PublishedForm> =>
  publish(
    app,
    owner,
    sheet(
      `type,name,label
       text,name,Name
       begin group,visit,Visit
       image,photo,Photo
       end group,,
       file,paper,Paper`,
    ),
  )

export interface StoredFile {
  id: number
  /** Of the record. */
  instance: number
  filename: string
  key: string
}

export interface Sent {
  photo?: SentFile
  paper?: SentFile
}

/** A record with these files, as the first of them is stored. */
export const sendFiles = async (
  app: TestApp,
  account: Account,
  form: PublishedForm,
  { photo, paper }: Sent,
): Promise<StoredFile> => {
  const id = newId()
  const answers = `<name>Ana</name><visit><photo>${photo?.name ?? ''}</photo></visit><paper>${paper?.name ?? ''}</paper>`
  const files = [photo, paper].filter((one) => one !== undefined)
  const answer = await send(app, account, `/${form.owner}`, instance(form, answers, { id }), files)
  if (answer.statusCode !== 201) throw new Error(`The record was not received: ${answer.body}`)
  return app.database.db.one<StoredFile>(sql`
    select attachments.id, submissions.id as instance, stored_name as filename, file_key as key
    from submissions join attachments on attachments.form_id = submissions.form_id
      and attachments.submission_id = submissions.id
    where submissions.form_id = ${form.formid} and submissions.uuid = ${id} order by attachments.id`)
}

export const fileAddress = ({ id, filename }: StoredFile, suffix?: string): string =>
  `/files/${id}?filename=${encodeURIComponent(filename)}${suffix === undefined ? '' : `&suffix=${suffix}`}`

export const jpeg = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#276' } })
    .jpeg()
    .toBuffer()

/** As PNG sums its parts up; zlib has it from Node 20.15 on. */
const crc32 = (data: Buffer): number => {
  let sum = 0xffffffff
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return ~sum >>> 0
}

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A true PNG of one colour, one bit a pixel: 50,000 by 50,000 are 300 KB. */
export const pngBomb = async (side: number): Promise<Buffer> => {
  const packer = createDeflate({ level: 9 })
  const packed: Buffer[] = []
  packer.on('data', (one: Buffer) => packed.push(one))
  const rows = Buffer.alloc((1 + Math.ceil(side / 8)) * 100)
  for (let written = 0; written < side; written += 100) {
    if (!packer.write(rows)) await new Promise((resolve) => packer.once('drain', resolve))
  }
  await new Promise((resolve) => packer.end(resolve))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.concat(packed)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
