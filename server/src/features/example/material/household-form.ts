// A household survey: who lives there, where their water comes from, what they own and eat.
import { enumerators, towns } from './region.js'
import { type Choice, type FormText, ref, sheetsOf, type Words } from './sheets.js'

const same = (text: string): Words => [text, text, text]
const choice = (name: string, english: string, swahili: string, arabic: string): Choice => ({
  name,
  label: [english, swahili, arabic],
})

const yesNo = [choice('yes', 'Yes', 'Ndiyo', 'نعم'), choice('no', 'No', 'Hapana', 'لا')]

const choices: FormText['choices'] = {
  yes_no: yesNo,
  enumerator: enumerators.map(({ name, label }) => ({ name, label: same(label) })),
  subcounty: towns.map(({ name, label }) => ({ name, label: same(label) })),
  refusal: [
    choice('no_time', 'No time', 'Hana muda', 'لا وقت لديه'),
    choice('no_trust', 'Does not trust surveys', 'Haamini tafiti', 'لا يثق بالاستبيانات'),
    choice('nobody', 'No adult at home', 'Hakuna mtu mzima', 'لا يوجد بالغ في البيت'),
  ],
  sex: [choice('female', 'Female', 'Mwanamke', 'أنثى'), choice('male', 'Male', 'Mwanaume', 'ذكر')],
  relation: [
    choice('head', 'Head', 'Mkuu wa kaya', 'رب الأسرة'),
    choice('spouse', 'Spouse', 'Mwenzi', 'زوج أو زوجة'),
    choice('child', 'Child', 'Mtoto', 'ابن أو ابنة'),
    choice('parent', 'Parent', 'Mzazi', 'والد أو والدة'),
    choice('other', 'Other relative', 'Ndugu mwingine', 'قريب آخر'),
  ],
  why_not: [
    choice('fees', 'Fees', 'Karo', 'الرسوم'),
    choice('distance', 'Too far', 'Ni mbali', 'بعيدة جدا'),
    choice('work', 'Works', 'Anafanya kazi', 'يعمل'),
    choice('ill', 'Ill', 'Mgonjwa', 'مريض'),
  ],
  roof: [
    choice('thatch', 'Thatch', 'Nyasi', 'قش'),
    choice('iron', 'Iron sheets', 'Mabati', 'صفائح حديد'),
    choice('tiles', 'Tiles', 'Vigae', 'قرميد'),
  ],
  water: [
    choice('piped', 'Piped into the home', 'Bomba nyumbani', 'أنابيب إلى المنزل'),
    choice('standpipe', 'Public tap', 'Bomba la umma', 'صنبور عام'),
    choice('borehole', 'Borehole with a pump', 'Kisima cha pampu', 'بئر بمضخة'),
    choice('spring', 'Protected spring', 'Chemchemi iliyolindwa', 'نبع محمي'),
    choice('rain', 'Rainwater', 'Maji ya mvua', 'مياه الأمطار'),
    choice('river', 'River or lake', 'Mto au ziwa', 'نهر أو بحيرة'),
  ],
  treatment: [
    choice('boil', 'Boil', 'Kuchemsha', 'غلي'),
    choice('chlorine', 'Chlorine', 'Klorini', 'كلور'),
    choice('filter', 'Filter', 'Kuchuja', 'ترشيح'),
    choice('sun', 'Sunlight', 'Mwanga wa jua', 'ضوء الشمس'),
    choice('nothing', 'Nothing', 'Hakuna', 'لا شيء'),
  ],
  toilet: [
    choice('flush', 'Flush toilet', 'Choo cha maji', 'مرحاض بماء'),
    choice('improved', 'Pit latrine with slab', 'Choo cha shimo chenye sakafu', 'مرحاض حفرة مع بلاطة'),
    choice('open_pit', 'Pit latrine without slab', 'Choo cha shimo bila sakafu', 'مرحاض حفرة دون بلاطة'),
    choice('none', 'None', 'Hakuna', 'لا يوجد'),
  ],
  assets: [
    choice('phone', 'Mobile phone', 'Simu', 'هاتف محمول'),
    choice('radio', 'Radio', 'Redio', 'مذياع'),
    choice('solar', 'Solar panel', 'Paneli ya jua', 'لوح شمسي'),
    choice('bicycle', 'Bicycle', 'Baiskeli', 'دراجة'),
    choice('tv', 'Television', 'Televisheni', 'تلفاز'),
    choice('motorbike', 'Motorbike', 'Pikipiki', 'دراجة نارية'),
    choice('livestock', 'Cattle or goats', 'Mifugo', 'ماشية'),
  ],
  worry: [
    choice('never', 'Never', 'Kamwe', 'أبدا'),
    choice('sometimes', 'Sometimes', 'Wakati mwingine', 'أحيانا'),
    choice('often', 'Often', 'Mara nyingi', 'غالبا'),
  ],
}

const agreed = `${ref('consent')} = 'yes'`

const visit: FormText['questions'] = [
  { type: 'start', name: 'start' },
  { type: 'end', name: 'end' },
  { type: 'today', name: 'today' },
  { type: 'begin_group', name: 'visit', label: ['The visit', 'Ziara', 'الزيارة'] },
  {
    type: 'select_one enumerator',
    name: 'enumerator',
    label: ['Who asks?', 'Nani anauliza?', 'من يسأل؟'],
    required: true,
    appearance: 'minimal',
  },
  {
    type: 'select_one subcounty',
    name: 'subcounty',
    label: ['Sub-county', 'Kaunti ndogo', 'المقاطعة الفرعية'],
    required: true,
  },
  { type: 'text', name: 'village', label: ['Village', 'Kijiji', 'القرية'], required: true },
  {
    type: 'geopoint',
    name: 'place',
    label: ['Where does the house stand?', 'Nyumba iko wapi?', 'أين يقع المنزل؟'],
    hint: ['Stand in front of the door.', 'Simama mbele ya mlango.', 'قف أمام الباب.'],
  },
  {
    type: 'image',
    name: 'house_photo',
    parameters: 'max-pixels=1024',
    label: ['Photo of the house', 'Picha ya nyumba', 'صورة المنزل'],
  },
  {
    type: 'select_one yes_no',
    name: 'consent',
    label: ['May I ask some questions?', 'Naweza kuuliza maswali?', 'هل يمكنني طرح بعض الأسئلة؟'],
    required: true,
  },
  {
    type: 'select_one refusal',
    name: 'refusal',
    label: ['Why not?', 'Kwa nini?', 'لماذا لا؟'],
    relevant: `${ref('consent')} = 'no'`,
  },
  { type: 'end_group', name: '' },
]

const people: FormText['questions'] = [
  { type: 'begin_group', name: 'household', label: ['The household', 'Kaya', 'الأسرة'], relevant: agreed },
  { type: 'text', name: 'head_name', label: ['Name of the head', 'Jina la mkuu wa kaya', 'اسم رب الأسرة'] },
  {
    type: 'text',
    name: 'phone',
    label: ['Phone', 'Simu', 'الهاتف'],
    hint: ['Ten digits, for example 0712345678', 'Tarakimu kumi', 'عشرة أرقام'],
  },
  { type: 'integer', name: 'rooms', label: ['Rooms to sleep in', 'Vyumba vya kulala', 'غرف النوم'] },
  { type: 'select_one roof', name: 'roof', label: ['Roof', 'Paa', 'السقف'] },
  { type: 'end_group', name: '' },
  { type: 'begin_repeat', name: 'member', label: ['Member', 'Mwanakaya', 'فرد'], relevant: agreed },
  { type: 'text', name: 'member_name', label: ['Name', 'Jina', 'الاسم'] },
  {
    type: 'select_one relation',
    name: 'relation',
    label: ['Related to the head how?', 'Uhusiano na mkuu', 'صلة القرابة برب الأسرة'],
  },
  { type: 'select_one sex', name: 'sex', label: ['Sex', 'Jinsia', 'الجنس'] },
  {
    type: 'integer',
    name: 'age',
    label: ['Age in years', 'Umri kwa miaka', 'العمر بالسنوات'],
    constraint: '. >= 0 and . <= 120',
    constraintMessage: ['From 0 to 120', 'Kutoka 0 hadi 120', 'من 0 إلى 120'],
  },
  {
    type: 'select_one yes_no',
    name: 'school',
    label: ['Goes to school?', 'Anaenda shule?', 'هل يذهب إلى المدرسة؟'],
    relevant: `${ref('age')} >= 6 and ${ref('age')} <= 17`,
  },
  {
    type: 'select_one why_not',
    name: 'why_not',
    label: ['Why not?', 'Kwa nini hapana?', 'لماذا لا؟'],
    relevant: `${ref('school')} = 'no'`,
  },
  { type: 'end_repeat', name: '' },
  { type: 'calculate', name: 'members', calculation: `count(${ref('member')})` },
]

const living: FormText['questions'] = [
  {
    type: 'begin_group',
    name: 'water',
    label: ['Water and toilet', 'Maji na choo', 'الماء والمرحاض'],
    relevant: agreed,
  },
  {
    type: 'select_one water',
    name: 'water_source',
    label: ['Where does drinking water come from?', 'Maji ya kunywa yanatoka wapi?', 'من أين تأتي مياه الشرب؟'],
  },
  {
    type: 'integer',
    name: 'water_minutes',
    label: ['Minutes to fetch it and return', 'Dakika za kuchota na kurudi', 'الدقائق لجلبه والعودة'],
    relevant: `${ref('water_source')} != 'piped'`,
  },
  {
    type: 'image',
    name: 'water_photo',
    parameters: 'max-pixels=1024',
    label: ['Photo of it', 'Picha yake', 'صورة له'],
    relevant: `${ref('water_source')} != 'piped'`,
  },
  {
    type: 'select_multiple treatment',
    name: 'treatment',
    label: ['What is done to the water?', 'Maji hufanyiwa nini?', 'ماذا يُفعل بالماء؟'],
  },
  { type: 'select_one toilet', name: 'toilet', label: ['Toilet', 'Choo', 'المرحاض'] },
  { type: 'end_group', name: '' },
  { type: 'begin_group', name: 'living', label: ['Living', 'Maisha', 'المعيشة'], relevant: agreed },
  { type: 'select_multiple assets', name: 'assets', label: ['What do they own?', 'Wanamiliki nini?', 'ماذا يملكون؟'] },
  { type: 'decimal', name: 'acres', label: ['Land in acres', 'Ardhi kwa ekari', 'الأرض بالفدان'] },
  { type: 'integer', name: 'meals', label: ['Meals yesterday', 'Milo ya jana', 'وجبات الأمس'] },
  {
    type: 'select_one worry',
    name: 'worry',
    label: ['Did they worry about food last month?', 'Walihofia chakula?', 'هل قلقوا بشأن الطعام؟'],
  },
  { type: 'text', name: 'remarks', label: ['Remarks', 'Maoni', 'ملاحظات'], appearance: 'multiline' },
  { type: 'end_group', name: '' },
]

export const householdForm: FormText = {
  id: 'household_survey',
  title: 'Household survey',
  version: '1',
  instanceName: `concat(${ref('village')}, ' · ', ${ref('head_name')})`,
  questions: [...visit, ...people, ...living],
  choices,
}

export const householdSheets = sheetsOf(householdForm)
