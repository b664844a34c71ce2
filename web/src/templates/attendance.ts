import {
  enumerator,
  group,
  phoneNumber,
  photo,
  place,
  type Row,
  remarks,
  repeat,
  sexes,
  sheetsOf,
  times,
  yesNo,
} from './build'

/** By its digits: clients differ in how they take times apart. */
const hourOf = (name: string) => `(number(substr(\${${name}}, 0, 2)) + number(substr(\${${name}}, 3, 5)) div 60)`

const score = (name: string, english: string, french: string): Row => ({
  type: 'integer',
  name,
  label: [english, french],
  relevant: `\${is_tested} = 'yes'`,
  constraint: '. >= 0 and . <= 100',
  message: ['Between 0 and 100 percent.', 'Entre 0 et 100 pour cent.'],
})

export default sheetsOf({
  title: 'Training attendance',
  id: 'training_attendance',
  instanceName: `concat(\${training}, ' ', \${day})`,
  survey: [
    ...times,
    ...group(
      'session',
      ['The session', 'La séance'],
      [
        {
          ...enumerator,
          name: 'trainer',
          label: ['Name of the trainer', 'Nom du formateur ou de la formatrice'],
          default: `\${last-saved#trainer}`,
        },
        {
          type: 'text',
          name: 'training',
          label: ['Name of the training', 'Nom de la formation'],
          required: true,
          default: `\${last-saved#training}`,
        },
        { type: 'select_one topic', name: 'topic', label: ['Topic', 'Thème'], required: true, appearance: 'minimal' },
        {
          type: 'date',
          name: 'day',
          label: ['Day', 'Jour'],
          required: true,
          default: 'today()',
          constraint: '. <= today()',
          message: ['It cannot be in the future.', 'Il ne peut pas être dans le futur.'],
        },
        { type: 'text', name: 'venue', label: ['Place', 'Lieu'], required: true },
        place('location', ['Position', 'Position']),
        { type: 'time', name: 'from', label: ['From', 'De'], required: true },
        {
          type: 'time',
          name: 'until',
          label: ['Until', 'À'],
          required: true,
          constraint: `. > \${from}`,
          message: ['It has to end after it begins.', 'La fin doit suivre le début.'],
        },
        {
          type: 'calculate',
          name: 'hours',
          calculation: `round(${hourOf('until')} - ${hourOf('from')}, 1)`,
        },
        {
          type: 'select_one yes_no',
          name: 'is_tested',
          label: ['Was there a test before and after?', 'Y a-t-il eu un test avant et après ?'],
          required: true,
        },
      ],
    ),
    ...repeat(
      'participant',
      ['Participant', 'Participant ou participante'],
      [
        { type: 'text', name: 'full_name', label: ['Name', 'Nom'], required: true },
        { type: 'select_one sex', name: 'sex', label: ['Sex', 'Sexe'], required: true, appearance: 'columns' },
        {
          type: 'select_one age_group',
          name: 'age_group',
          label: ['Age', 'Âge'],
          required: true,
          appearance: 'columns',
        },
        { type: 'text', name: 'organization', label: ['Organization or village', 'Organisation ou village'] },
        phoneNumber('phone', ['Phone number', 'Numéro de téléphone']),
        {
          type: 'select_one presence',
          name: 'presence',
          label: ['Presence', 'Présence'],
          required: true,
          default: 'whole',
        },
        score('score_before', 'Test before, in percent', 'Test avant, en pour cent'),
        score('score_after', 'Test after, in percent', 'Test après, en pour cent'),
        {
          type: 'image',
          name: 'signature',
          label: [`Signature of \${full_name}`, `Signature de \${full_name}`],
          appearance: 'signature',
          parameters: 'max-pixels=800',
        },
        { type: 'calculate', name: 'is_woman', calculation: `if(\${sex} = 'female', 1, 0)` },
        {
          type: 'calculate',
          name: 'gain',
          calculation: `if(\${score_before} != '' and \${score_after} != '', \${score_after} - \${score_before}, 0)`,
        },
      ],
    ),
    ...group(
      'summary',
      ['Summary', 'Bilan'],
      [
        { type: 'calculate', name: 'present', calculation: `count(\${participant})` },
        { type: 'calculate', name: 'women', calculation: `sum(\${is_woman})` },
        {
          type: 'calculate',
          name: 'mean_gain',
          calculation: `if(\${present} > 0, round(sum(\${gain}) div \${present}, 1), 0)`,
        },
        {
          type: 'note',
          name: 'count_note',
          label: [
            `\${present} people, \${women} of them women, \${hours} hours.`,
            `\${present} personnes, dont \${women} femmes, \${hours} heures.`,
          ],
        },
        {
          type: 'note',
          name: 'gain_note',
          label: [`Better by \${mean_gain} points on average.`, `En moyenne \${mean_gain} points de mieux.`],
          relevant: `\${is_tested} = 'yes'`,
        },
        photo('group_photo', ['Photo of the group', 'Photo du groupe'], {
          hint: ['Ask everybody first.', 'Demandez d’abord à tout le monde.'],
        }),
        {
          type: 'text',
          name: 'follow_up',
          label: ['What has to be followed up?', 'Que faut-il suivre ?'],
          appearance: 'multiline',
        },
        remarks,
      ],
    ),
  ],
  choices: {
    yes_no: yesNo,
    sex: sexes,
    topic: [
      ['agriculture', 'Agriculture', 'Agriculture'],
      ['health', 'Health and hygiene', 'Santé et hygiène'],
      ['nutrition', 'Nutrition', 'Nutrition'],
      ['finance', 'Saving and business', 'Épargne et entreprise'],
      ['rights', 'Rights and protection', 'Droits et protection'],
      ['other', 'Another', 'Autre'],
    ],
    age_group: [
      ['under_18', 'Under 18', 'Moins de 18 ans'],
      ['18_35', '18 to 35', '18 à 35 ans'],
      ['36_59', '36 to 59', '36 à 59 ans'],
      ['over_60', '60 and over', '60 ans et plus'],
    ],
    presence: [
      ['whole', 'Whole session', 'Toute la séance'],
      ['part', 'Part of it', 'Une partie'],
    ],
  },
})
