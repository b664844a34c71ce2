// The form of every tenant: groups, a repeat, places, choices, numbers, times and files.

/** Questions that take a text of the sender, by their name in a submission; all types of answers are there. */
export const questions = [
  'name',
  'age',
  'weight',
  'home',
  'way',
  'field',
  'sex',
  'crops',
  'day',
  'hour',
  'moment',
  'code',
  'house/rooms',
  'child/child_name',
] as const

/** `mark` is in every word of it that people read. */
export const formText = (idString: string, mark: string, extra: { constraint?: string } = {}): string => `survey
,type,name,label,constraint
,text,name,${mark} name,"${(extra.constraint ?? '').replaceAll('"', '""')}"
,integer,age,${mark} age,
,decimal,weight,${mark} weight,
,geopoint,home,${mark} home,
,geotrace,way,${mark} way,
,geoshape,field,${mark} field,
,select_one sexes,sex,${mark} sex,
,select_multiple crops,crops,${mark} crops,
,date,day,${mark} day,
,time,hour,${mark} hour,
,dateTime,moment,${mark} moment,
,barcode,code,${mark} code,
,image,photo,${mark} photo,
,file,paper,${mark} paper,
,begin_group,house,${mark} house,
,integer,rooms,${mark} rooms,
,end_group,,,
,begin_repeat,child,${mark} child,
,text,child_name,${mark} child name,
,end_repeat,,,
choices
,list_name,name,label
,sexes,f,${mark} female
,sexes,m,${mark} male
,crops,maize,${mark} maize
,crops,beans,${mark} beans
settings
,form_id,form_title,version
,${idString},${mark} form,1`

/** A form whose records others use as a list. */
export const listText = (idString: string, mark: string): string => `survey
,type,name,label
,text,name,${mark} name
settings
,form_id,form_title,version
,${idString},${mark} list,1`

const usual: Readonly<Record<string, string>> = {
  age: '34',
  weight: '61.5',
  home: '-1.26 36.79 1650.0 4.5',
  way: '-1.26 36.79 0 0; -1.27 36.80 0 0',
  field: '-1.26 36.79 0 0; -1.27 36.80 0 0; -1.28 36.79 0 0; -1.26 36.79 0 0',
  sex: 'f',
  crops: 'maize beans',
  day: '2026-01-10',
  hour: '10:00:00.000+03:00',
  moment: '2026-01-10T10:00:00.000+03:00',
  code: '4006381333931',
  'house/rooms': '3',
}

const xmlText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export interface Filled {
  readonly uuid: string
  readonly answers?: Readonly<Record<string, string>>
  readonly replaces?: string
  /** Elements besides those of the form. */
  readonly more?: string
  readonly version?: string
}

export const xmlOf = (idString: string, { uuid, answers = {}, replaces, more = '', version = '1' }: Filled): string => {
  const given: Record<string, string> = { ...usual, ...answers }
  const element = (name: string) => {
    const tag = name.split('/').at(-1) ?? name
    return given[name] === undefined ? '' : `<${tag}>${xmlText(given[name])}</${tag}>`
  }
  const plain = [...Object.keys(given).filter((name) => !name.includes('/'))].map(element).join('')
  const former = replaces === undefined ? '' : `<orx:deprecatedID>uuid:${replaces}</orx:deprecatedID>`
  return `<?xml version='1.0' ?><data xmlns:orx="http://openrosa.org/xforms" id="${idString}" version="${version}">${plain}<house>${element('house/rooms')}</house><child>${element('child/child_name')}</child>${more}<orx:meta><orx:instanceID>uuid:${uuid}</orx:instanceID>${former}</orx:meta></data>`
}
