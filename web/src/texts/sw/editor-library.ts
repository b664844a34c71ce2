import { translation } from '../catalogue'
import type en from '../en/editor-library'

export default translation<typeof en>({
  keepTitle: 'Weka maswali kwa ajili ya fomu nyingine',
  keepAbout: 'Yanaenda kwenye maktaba ya maswali ya mradi huu, pamoja na chaguo zake.',
  insertTitle: 'Ingiza maswali',
  insertAbout: 'Yanakuja baada ya safu ya kielekezi, pamoja na chaguo zake.',
  name: 'Jina',
  nameHint: 'Kama “Umri na jinsia” au “Ridhaa”.',
  pick: 'Maswali yapi?',
  keep: 'Weka',
  kept: '“{name}” iko kwenye maktaba',
  from: 'Kutoka wapi',
  library: 'Maktaba ya maswali',
  otherForms: 'Fomu nyingine',
  emptyTitle: 'Maktaba ni tupu',
  emptyAbout: 'Weka maswali ya fomu huko, na fomu inayofuata itakuwa nayo karibu.',
  questions: { one: 'Swali {n}', other: 'Maswali {n}' },
  insert: 'Ingiza',
  inserted: { one: 'Safu {n} imeingizwa', other: 'Safu {n} zimeingizwa' },
  removeOne: 'Ondoa “{name}” kwenye maktaba',
  removed: '“{name}” haipo tena kwenye maktaba',
  form: 'Fomu',
  chooseForm: 'Chagua fomu',
  noWorkbook: 'Fomu hii haina lahajedwali ya kuchukua maswali.',
  close: 'Funga',
})
