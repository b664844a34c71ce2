import { enumerator, group, photo, place, type Row, remarks, sheetsOf, times, yesNo } from './build'

const staff = (name: string, english: string, french: string): Row => ({
  type: 'integer',
  name,
  label: [english, french],
  required: true,
  default: '0',
  constraint: '. >= 0 and . <= 2000',
  message: ['Between 0 and 2,000.', 'Entre 0 et 2 000.'],
})

const medicine = (name: string, english: string, french: string): Row => ({
  type: 'select_one stock',
  name,
  label: [english, french],
  required: true,
})

export default sheetsOf({
  title: 'Health facility assessment',
  id: 'health_facility',
  instanceName: `\${facility_name}`,
  survey: [
    ...times,
    ...group(
      'facility',
      ['The facility', 'L’établissement'],
      [
        enumerator,
        {
          type: 'text',
          name: 'facility_name',
          label: ['Name of the facility', 'Nom de l’établissement'],
          required: true,
        },
        {
          type: 'text',
          name: 'facility_code',
          label: ['Official code', 'Code officiel'],
          hint: [
            'As in the register of the ministry, such as HF-0123.',
            'Comme dans le registre du ministère, par exemple HF-0123.',
          ],
          constraint: `regex(., '^[A-Za-z0-9-]{2,20}$')`,
          message: ['Letters, digits and hyphens only.', 'Lettres, chiffres et tirets seulement.'],
        },
        {
          type: 'select_one facility_type',
          name: 'facility_type',
          label: ['Type', 'Type'],
          required: true,
          appearance: 'minimal',
        },
        { type: 'select_one owner', name: 'owner', label: ['Who runs it?', 'Qui le gère ?'], required: true },
        place('location', ['Position of the entrance', 'Position de l’entrée']),
        photo('front_photo', ['Photo of the entrance', 'Photo de l’entrée']),
      ],
    ),
    ...group(
      'opening',
      ['Opening hours', 'Heures d’ouverture'],
      [
        {
          type: 'select_multiple weekday',
          name: 'open_days',
          label: ['On which days is it open?', 'Quels jours est-il ouvert ?'],
          required: true,
          appearance: 'columns',
        },
        {
          type: 'select_one yes_no',
          name: 'day_and_night',
          label: ['Is it open day and night?', 'Est-il ouvert jour et nuit ?'],
          required: true,
        },
        {
          type: 'time',
          name: 'opens',
          label: ['Opens at', 'Ouvre à'],
          relevant: `\${day_and_night} = 'no'`,
          required: true,
        },
        {
          type: 'time',
          name: 'closes',
          label: ['Closes at', 'Ferme à'],
          relevant: `\${day_and_night} = 'no'`,
          required: true,
          constraint: `. > \${opens}`,
          message: ['It has to close after it opens.', 'La fermeture doit suivre l’ouverture.'],
        },
      ],
    ),
    ...group(
      'staffing',
      ['Staff who work here', 'Personnel en poste'],
      [
        staff('doctors', 'Doctors', 'Médecins'),
        staff('nurses', 'Nurses', 'Infirmiers et infirmières'),
        staff('midwives', 'Midwives', 'Sages-femmes'),
        staff('other_staff', 'Other health workers', 'Autres agents de santé'),
        {
          type: 'calculate',
          name: 'staff_total',
          calculation: `\${doctors} + \${nurses} + \${midwives} + \${other_staff}`,
        },
        {
          type: 'note',
          name: 'staff_note',
          label: [`\${staff_total} health workers in all.`, `\${staff_total} agents de santé au total.`],
        },
      ],
    ),
    ...group(
      'services',
      ['Services', 'Services'],
      [
        {
          type: 'select_multiple service',
          name: 'offered',
          label: ['Which services are offered?', 'Quels services sont proposés ?'],
          required: true,
        },
        {
          type: 'integer',
          name: 'deliveries',
          label: ['Deliveries in the last full month', 'Accouchements le dernier mois complet'],
          relevant: `selected(\${offered}, 'delivery')`,
          required: true,
          constraint: '. >= 0 and . <= 5000',
          message: ['Between 0 and 5,000.', 'Entre 0 et 5 000.'],
        },
        {
          type: 'integer',
          name: 'outpatients',
          label: ['Outpatients in the last full month', 'Consultations externes le dernier mois complet'],
          hint: ['From the register, not estimated.', 'D’après le registre, sans estimation.'],
          constraint: '. >= 0 and . <= 100000',
          message: ['Between 0 and 100,000.', 'Entre 0 et 100 000.'],
        },
      ],
    ),
    ...group(
      'medicines',
      ['Are these in stock today?', 'Ces produits sont-ils en stock aujourd’hui ?'],
      [
        medicine('paracetamol', 'Paracetamol', 'Paracétamol'),
        medicine('amoxicillin', 'Amoxicillin', 'Amoxicilline'),
        medicine('ors', 'Oral rehydration salts', 'Sels de réhydratation orale'),
        medicine('malaria_test', 'Rapid malaria tests', 'Tests rapides du paludisme'),
      ],
      { appearance: 'table-list' },
    ),
    ...group(
      'utilities',
      ['Power, water, cold chain', 'Électricité, eau, chaîne du froid'],
      [
        {
          type: 'select_one power',
          name: 'power',
          label: ['Main source of power', 'Source principale d’électricité'],
          required: true,
        },
        {
          type: 'select_one yes_no',
          name: 'water_today',
          label: ['Is there running water today?', 'Y a-t-il de l’eau courante aujourd’hui ?'],
          required: true,
        },
        {
          type: 'select_one yes_no',
          name: 'fridge',
          label: ['Is there a vaccine fridge that works?', 'Y a-t-il un réfrigérateur à vaccins qui fonctionne ?'],
          required: true,
        },
        {
          type: 'decimal',
          name: 'fridge_temperature',
          label: ['Temperature that it shows, in °C', 'Température affichée, en °C'],
          relevant: `\${fridge} = 'yes'`,
          required: true,
          constraint: '. >= -30 and . <= 50',
          message: ['Between −30 and 50 °C.', 'Entre −30 et 50 °C.'],
        },
        {
          type: 'note',
          name: 'fridge_warning',
          label: [
            'Vaccines need 2 to 8 °C. Tell the person in charge now.',
            'Les vaccins demandent 2 à 8 °C. Prévenez tout de suite le responsable.',
          ],
          relevant: `\${fridge_temperature} != '' and (\${fridge_temperature} < 2 or \${fridge_temperature} > 8)`,
        },
      ],
    ),
    remarks,
    {
      type: 'image',
      name: 'signature',
      label: ['Signature of the person in charge', 'Signature du responsable'],
      appearance: 'signature',
      parameters: 'max-pixels=1000',
    },
  ],
  choices: {
    yes_no: yesNo,
    facility_type: [
      ['hospital', 'Hospital', 'Hôpital'],
      ['health_centre', 'Health centre', 'Centre de santé'],
      ['health_post', 'Health post or dispensary', 'Poste de santé ou dispensaire'],
      ['clinic', 'Private clinic', 'Clinique privée'],
      ['maternity', 'Maternity', 'Maternité'],
    ],
    owner: [
      ['government', 'Government', 'État'],
      ['faith', 'Faith-based organization', 'Organisation confessionnelle'],
      ['ngo', 'Non-governmental organization', 'Organisation non gouvernementale'],
      ['private', 'Private', 'Privé'],
    ],
    weekday: [
      ['monday', 'Monday', 'Lundi'],
      ['tuesday', 'Tuesday', 'Mardi'],
      ['wednesday', 'Wednesday', 'Mercredi'],
      ['thursday', 'Thursday', 'Jeudi'],
      ['friday', 'Friday', 'Vendredi'],
      ['saturday', 'Saturday', 'Samedi'],
      ['sunday', 'Sunday', 'Dimanche'],
    ],
    service: [
      ['outpatient', 'Outpatient care', 'Consultations externes'],
      ['antenatal', 'Antenatal care', 'Consultations prénatales'],
      ['delivery', 'Delivery', 'Accouchement'],
      ['immunization', 'Immunization', 'Vaccination'],
      ['hiv', 'HIV testing and treatment', 'Dépistage et traitement du VIH'],
      ['tb', 'Tuberculosis treatment', 'Traitement de la tuberculose'],
      ['nutrition', 'Treatment of malnutrition', 'Prise en charge de la malnutrition'],
      ['laboratory', 'Laboratory', 'Laboratoire'],
    ],
    stock: [
      ['in_stock', 'In stock', 'En stock'],
      ['low', 'Less than a month', 'Moins d’un mois'],
      ['out', 'Out of stock', 'Rupture'],
    ],
    power: [
      ['grid', 'Grid', 'Réseau'],
      ['solar', 'Solar', 'Solaire'],
      ['generator', 'Generator', 'Groupe électrogène'],
      ['none', 'None', 'Aucune'],
    ],
  },
})
