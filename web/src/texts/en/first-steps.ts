import { english } from '../catalogue'

export default english('first-steps', {
  title: 'Your first form',
  about: 'The server is ready. Three ways to begin; you can take the others later.',
  example: 'Look at an example',
  exampleAbout:
    'A project with a form, some hundred records, photos and places, to try everything with. Delete it when you are done.',
  exampleMake: 'Make the example',
  exampleMaking: 'The server is making the example: a form, its records and their photos. This takes some seconds.',
  exampleSince: { one: '{n} second so far', other: '{n} seconds so far' },
  exampleDone: { one: 'The example is there, with {n} record.', other: 'The example is there, with {n} records.' },
  table: 'See the table',
  map: 'See the map',
  charts: 'See the charts',
  project: 'Open the project',
  upload: 'Bring a form',
  uploadAbout: 'You have an XLSForm: an Excel file with questions. It goes into your first project.',
  place: '{sheet}, row {row}',
  file: 'Choose the XLSForm',
  fileHint: '.xlsx, .xls or .csv',
  uploaded: '{title} is there',
  refused: 'The form has mistakes. Nothing was stored; mend them and choose the file again.',
  empty: 'Begin with an empty project',
  emptyAbout: 'A project holds forms, the answers to them, and the people who work with both.',
  name: 'Name of the project',
  make: 'Make the project',
  later: 'Skip this',
})
