// The form that workloads use: 20 questions, a group and a repeat, and submissions of it of about 1.5 KB.
import { randomUUID } from 'node:crypto'

const questions = Array.from({ length: 12 }, (_, index) => `,text,q${index + 1},Question ${index + 1}`)

export const formText = `survey
,type,name,label
,start,start,
,end,end,
,text,name,Name
,integer,age,Age
,select_one sex,sex,Sex
${questions.join('\n')}
,begin group,household,Household
,integer,rooms,Rooms
,geopoint,place,Place
,end group,,
,begin repeat,child,Child
,text,child_name,Name of the child
,integer,child_age,Age of the child
,end repeat,,
choices
,list_name,name,label
,sex,f,Female
,sex,m,Male
settings
,form_id,form_title,version
,visit,Household visit,1`

/** 50 questions: 20 of a choice, 20 numbers, 10 texts. */
export const wideFormText = `survey
,type,name,label
${Array.from({ length: 20 }, (_, index) => `,select_one sex,s${index + 1},Choice ${index + 1}`).join('\n')}
${Array.from({ length: 20 }, (_, index) => `,integer,n${index + 1},Number ${index + 1}`).join('\n')}
${Array.from({ length: 10 }, (_, index) => `,text,q${index + 1},Question ${index + 1}`).join('\n')}
choices
,list_name,name,label
,sex,f,Female
,sex,m,Male
settings
,form_id,form_title,version
,visit,Wide,1`

const answers = Array.from(
  { length: 12 },
  (_, index) => `<q${index + 1}>Some words of an answer, number ${index + 1}</q${index + 1}>`,
).join('')

export const submissionXml = (formUuid: string, id: string = randomUUID(), idString = 'visit'): string =>
  `<?xml version='1.0' ?><data xmlns:jr="http://openrosa.org/javarosa" xmlns:orx="http://openrosa.org/xforms" id="${idString}" version="1"><form><uuid>${formUuid}</uuid></form><start>2026-05-01T09:00:00.000+00:00</start><end>2026-05-01T09:12:30.000+00:00</end><name>Amina Otieno</name><age>34</age><sex>f</sex>${answers}<household><rooms>3</rooms><place>-1.2625621 36.7921711 1650.0 4.5</place></household><child><child_name>Tom</child_name><child_age>12</child_age></child><child><child_name>Dora</child_name><child_age>5</child_age></child><orx:meta><orx:instanceID>uuid:${id}</orx:instanceID></orx:meta></data>`

const boundary = 'eYkL7uCmCTWFXBdP7n2rz3'

/** The body as ODK Collect writes it. */
const multipartBody = (xml: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="xml_submission_file"; filename="visit.xml"\r\nContent-Type: text/xml; charset=utf-8\r\n\r\n${xml}\r\n--${boundary}--\r\n`

export const multipartRequest = (path: string, headers: string, xml: string): Buffer => {
  const body = multipartBody(xml)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}X-OpenRosa-Version: 1.0\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
