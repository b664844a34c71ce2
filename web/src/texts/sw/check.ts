import { translation } from '../catalogue'
import type en from '../en/check'

export default translation<typeof en>({
  title: 'Kagua fomu',
  about: 'Dondosha XLSForm: utaona kosa liko kwenye seli gani, na fomu itakavyoonekana.',
  drop: 'Dondosha kitabu cha kazi hapa, au kichague',
  hint: '.xlsx au .csv; .xls ihifadhiwe kwanza kama .xlsx',
  examples: 'Huna fomu karibu?',
  exampleBroken: 'Moja yenye makosa',
  result: 'Matokeo',
  checking: 'Inakagua…',
  stop: 'Simamisha',
  stopped: 'Imesimamishwa. Hakuna kilichokaguliwa.',
  slow: 'Faili inachukua zaidi ya sekunde 20 na imeachwa. Ondoa orodha ndefu, au ziweke kwenye faili ya CSV ya fomu.',
  broken:
    'Faili haikuweza kukaguliwa. Huenda imeharibika: ifungue kwenye programu ya lahajedwali, ihifadhi tena, kisha ujaribu.',
  tooLarge: 'Faili ina zaidi ya MB 64. Fomu ni ndogo zaidi: ondoa picha na lahajedwali zisizo zake.',
  works: 'Fomu inafanya kazi. Ina safu {rows}.',
  problems: { one: 'Kosa {n} la kurekebisha', other: 'Makosa {n} ya kurekebisha' },
  warnings: { one: 'Onyo {n}', other: 'Maonyo {n}' },
  mistakes: 'Makosa',
  warningList: 'Maonyo',
  firstOnly: 'Zinaonyeshwa {n} za kwanza.',
  preview: 'Ona fomu',
  closePreview: 'Funga fomu',
  download: 'Pakua XForm',
  downloadWorkbook: 'Pakua kama .xlsx',
  outline: { one: 'Inachouliza: safu {n}', other: 'Inachouliza: safu {n}' },
  unknownType: 'haijulikani',
  wholeForm: 'Fomu nzima',
  placeRow: '{sheet}, safu {row}',
  placeCell: '{sheet}, safu {row}, safuwima {column}',
  rowOf: 'Safu {row}',
  meant: 'Hapa: ',
  emptyCell: '(tupu)',
  private:
    'Hakuna kinachotoka kwenye kivinjari chako: faili inasomwa na kukaguliwa kwenye kifaa hiki, na haihifadhiwi popote.',
})
