// Inspections of water points: does it run, how much, what is broken.
import { type Choice, enumerators, type FormText, ref, sheetsOf, towns, type Words } from '@sheaf/server/example'

const same = (text: string): Words => [text, text, text]
const choice = (name: string, english: string, swahili: string, arabic: string): Choice => ({
  name,
  label: [english, swahili, arabic],
})

const choices: FormText['choices'] = {
  inspector: enumerators.map(({ name, label }) => ({ name, label: same(label) })),
  subcounty: towns.map(({ name, label }) => ({ name, label: same(label) })),
  kind: [
    choice('standpipe', 'Public tap', 'Bomba la umma', 'صنبور عام'),
    choice('borehole', 'Borehole with a pump', 'Kisima cha pampu', 'بئر بمضخة'),
    choice('spring', 'Protected spring', 'Chemchemi iliyolindwa', 'نبع محمي'),
    choice('rain', 'Rainwater tank', 'Tangi la mvua', 'خزان مياه الأمطار'),
  ],
  state: [
    choice('works', 'Works', 'Inafanya kazi', 'يعمل'),
    choice('partly', 'Works in part', 'Inafanya kazi kiasi', 'يعمل جزئيا'),
    choice('broken', 'Broken', 'Imeharibika', 'معطل'),
  ],
  part: [
    choice('tap', 'Tap', 'Bomba', 'صنبور'),
    choice('pump', 'Pump', 'Pampu', 'مضخة'),
    choice('pipe', 'Pipe', 'Mfereji', 'أنبوب'),
    choice('fence', 'Fence', 'Ua', 'سياج'),
    choice('drain', 'Drain', 'Mtaro', 'مصرف'),
  ],
  urgency: [
    choice('now', 'Now', 'Sasa', 'الآن'),
    choice('month', 'This month', 'Mwezi huu', 'هذا الشهر'),
    choice('later', 'Later', 'Baadaye', 'لاحقا'),
  ],
}

const waterForm: FormText = {
  id: 'water_points',
  title: 'Water point inspection',
  version: '3',
  instanceName: `concat(${ref('name')}, ' · ', ${ref('state')})`,
  choices,
  questions: [
    { type: 'start', name: 'start' },
    { type: 'end', name: 'end' },
    { type: 'begin_group', name: 'point', label: ['The water point', 'Sehemu ya maji', 'نقطة المياه'] },
    { type: 'select_one inspector', name: 'inspector', label: ['Inspector', 'Mkaguzi', 'المفتش'], required: true },
    { type: 'text', name: 'name', label: ['Name', 'Jina', 'الاسم'], required: true },
    { type: 'select_one subcounty', name: 'subcounty', label: ['Sub-county', 'Kaunti ndogo', 'المقاطعة الفرعية'] },
    { type: 'geopoint', name: 'place', label: ['Where is it?', 'Iko wapi?', 'أين تقع؟'] },
    { type: 'select_one kind', name: 'kind', label: ['Kind', 'Aina', 'النوع'] },
    { type: 'image', name: 'photo', parameters: 'max-pixels=1024', label: ['Photo', 'Picha', 'صورة'] },
    { type: 'end_group', name: '' },
    { type: 'begin_group', name: 'working', label: ['How it works', 'Inavyofanya kazi', 'كيف تعمل'] },
    { type: 'select_one state', name: 'state', label: ['State', 'Hali', 'الحالة'], required: true },
    {
      type: 'decimal',
      name: 'flow',
      label: ['Litres a minute', 'Lita kwa dakika', 'لتر في الدقيقة'],
      relevant: `${ref('state')} != 'broken'`,
    },
    { type: 'integer', name: 'users', label: ['Households that use it', 'Kaya zinazotumia', 'الأسر المستفيدة'] },
    { type: 'date', name: 'repaired', label: ['Last repaired', 'Ilirekebishwa lini', 'آخر إصلاح'] },
    { type: 'end_group', name: '' },
    {
      type: 'begin_repeat',
      name: 'damage',
      label: ['Damage', 'Uharibifu', 'ضرر'],
      relevant: `${ref('state')} != 'works'`,
    },
    { type: 'select_one part', name: 'part', label: ['Which part?', 'Sehemu gani?', 'أي جزء؟'] },
    { type: 'select_one urgency', name: 'urgency', label: ['When to repair?', 'Irekebishwe lini?', 'متى يُصلح؟'] },
    { type: 'decimal', name: 'cost', label: ['Cost in shillings', 'Gharama kwa shilingi', 'التكلفة بالشلن'] },
    { type: 'end_repeat', name: '' },
    { type: 'text', name: 'remarks', label: ['Remarks', 'Maoni', 'ملاحظات'] },
  ],
}

export const waterSheets = sheetsOf(waterForm)
