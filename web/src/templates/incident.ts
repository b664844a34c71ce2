import { group, phoneNumber, photo, place, remarks, repeat, sexes, sheetsOf, times, yesNo } from './build'

export default sheetsOf({
  title: 'Incident report',
  id: 'incident_report',
  instanceName: `concat(\${kind}, ' ', format-date-time(\${happened_at}, '%Y-%m-%d %H:%M'))`,
  survey: [
    ...times,
    {
      type: 'note',
      name: 'safety_note',
      label: [
        'First make sure that everybody is safe, and call for help. Report afterwards.',
        'Mettez d’abord tout le monde en sécurité et appelez de l’aide. Faites le rapport ensuite.',
      ],
    },
    ...group(
      'reporter',
      ['Who reports', 'Qui signale'],
      [
        {
          type: 'select_one yes_no',
          name: 'is_anonymous',
          label: ['Do you want to stay anonymous?', 'Voulez-vous rester anonyme ?'],
          required: true,
          default: 'no',
        },
        {
          type: 'text',
          name: 'reporter_name',
          label: ['Your name', 'Votre nom'],
          relevant: `\${is_anonymous} = 'no'`,
          required: true,
        },
        {
          ...phoneNumber('reporter_phone', ['Phone number for questions', 'Numéro pour les questions']),
          relevant: `\${is_anonymous} = 'no'`,
        },
        {
          type: 'select_one witness',
          name: 'witness',
          label: ['How do you know of it?', 'Comment le savez-vous ?'],
          required: true,
        },
      ],
    ),
    ...group(
      'incident',
      ['What happened', 'Ce qui s’est passé'],
      [
        {
          type: 'select_one kind',
          name: 'kind',
          label: ['Kind of incident', 'Type d’incident'],
          required: true,
          appearance: 'minimal',
        },
        {
          type: 'text',
          name: 'kind_other',
          label: ['Which one?', 'Lequel ?'],
          relevant: `\${kind} = 'other'`,
          required: true,
        },
        {
          type: 'dateTime',
          name: 'happened_at',
          label: ['When did it happen?', 'Quand est-ce arrivé ?'],
          required: true,
          constraint: '. <= now()',
          message: ['It cannot be in the future.', 'Cela ne peut pas être dans le futur.'],
        },
        {
          type: 'text',
          name: 'site',
          label: ['Where? Site, building or road', 'Où ? Site, bâtiment ou route'],
          required: true,
        },
        place('location', ['Position', 'Position']),
        {
          type: 'select_one severity',
          name: 'severity',
          label: ['How serious is it?', 'Quelle en est la gravité ?'],
          required: true,
          appearance: 'columns',
        },
        {
          type: 'text',
          name: 'description',
          label: ['What happened, in order?', 'Que s’est-il passé, dans l’ordre ?'],
          hint: ['Facts, no guesses. No names of victims.', 'Des faits, pas de suppositions. Pas de noms de victimes.'],
          required: true,
          appearance: 'multiline',
          constraint: 'string-length(.) >= 20',
          message: ['At least a sentence.', 'Au moins une phrase.'],
        },
        ...repeat(
          'picture',
          ['Photo', 'Photo'],
          [
            photo('scene_photo', ['Photo of the scene', 'Photo des lieux'], {
              hint: [
                'Only where it is safe. No faces of victims.',
                'Seulement sans danger. Pas de visages de victimes.',
              ],
            }),
            { type: 'text', name: 'caption', label: ['What does it show?', 'Que montre-t-elle ?'] },
          ],
        ),
      ],
    ),
    ...group(
      'people',
      ['People', 'Personnes'],
      [
        {
          type: 'select_one yes_no',
          name: 'anybody_hurt',
          label: ['Was anybody hurt or harmed?', 'Quelqu’un a-t-il été blessé ou touché ?'],
          required: true,
        },
        ...repeat(
          'affected',
          ['Person', 'Personne'],
          [
            { type: 'select_one role', name: 'role', label: ['Role', 'Rôle'], required: true },
            { type: 'select_one sex', name: 'sex', label: ['Sex', 'Sexe'], appearance: 'columns' },
            { type: 'select_one harm', name: 'harm', label: ['Harm', 'Dommage'], required: true },
            {
              type: 'select_one yes_no',
              name: 'was_treated',
              label: ['Has the person been treated?', 'La personne a-t-elle été soignée ?'],
              relevant: `\${harm} != 'none' and \${harm} != 'death'`,
              required: true,
            },
            { type: 'calculate', name: 'is_hurt', calculation: `if(\${harm} = 'none', 0, 1)` },
          ],
          { relevant: `\${anybody_hurt} = 'yes'` },
        ),
        { type: 'calculate', name: 'hurt', calculation: `if(\${anybody_hurt} = 'yes', sum(\${is_hurt}), 0)` },
      ],
    ),
    ...group(
      'response',
      ['What was done', 'Ce qui a été fait'],
      [
        {
          type: 'select_multiple action',
          name: 'actions',
          label: ['What was done at once?', 'Qu’a-t-on fait tout de suite ?'],
          required: true,
          constraint: `not(selected(., 'none') and count-selected(.) > 1)`,
          message: ['«Nothing yet» excludes the others.', '« Rien encore » exclut les autres.'],
        },
        {
          type: 'text',
          name: 'case_number',
          label: ['Number that the police gave', 'Numéro donné par la police'],
          relevant: `selected(\${actions}, 'police')`,
        },
        {
          type: 'select_one yes_no',
          name: 'needs_follow_up',
          label: ['Does it need follow-up?', 'Faut-il un suivi ?'],
          required: true,
        },
        {
          type: 'date',
          name: 'follow_up_by',
          label: ['Until when?', 'Jusqu’à quand ?'],
          relevant: `\${needs_follow_up} = 'yes'`,
          required: true,
          constraint: '. >= today()',
          message: ['Today or later.', 'Aujourd’hui ou plus tard.'],
        },
        {
          type: 'note',
          name: 'urgent_note',
          label: [
            'Call the person on duty now; do not wait for this report to be read.',
            'Appelez maintenant la personne de garde ; n’attendez pas que ce rapport soit lu.',
          ],
          relevant: `\${severity} = 'critical' or \${hurt} > 0`,
        },
      ],
    ),
    remarks,
  ],
  choices: {
    yes_no: yesNo,
    sex: sexes,
    witness: [
      ['saw', 'I saw it', 'Je l’ai vu'],
      ['involved', 'It happened to me', 'Cela m’est arrivé'],
      ['told', 'I was told', 'On me l’a dit'],
    ],
    kind: [
      ['accident', 'Accident at work', 'Accident du travail'],
      ['traffic', 'Traffic accident', 'Accident de la route'],
      ['theft', 'Theft or loss', 'Vol ou perte'],
      ['violence', 'Violence or threat', 'Violence ou menace'],
      ['fire', 'Fire', 'Incendie'],
      ['environment', 'Damage to the environment', 'Atteinte à l’environnement'],
      ['misconduct', 'Misconduct', 'Faute de conduite'],
      ['other', 'Another', 'Autre'],
    ],
    severity: [
      ['minor', 'Minor', 'Mineure'],
      ['serious', 'Serious', 'Grave'],
      ['critical', 'Critical', 'Critique'],
    ],
    role: [
      ['staff', 'Staff', 'Personnel'],
      ['participant', 'Participant', 'Participant'],
      ['public', 'Public', 'Public'],
    ],
    harm: [
      ['none', 'None', 'Aucun'],
      ['light', 'Light injury', 'Blessure légère'],
      ['severe', 'Severe injury', 'Blessure grave'],
      ['distress', 'Distress', 'Détresse'],
      ['death', 'Death', 'Décès'],
    ],
    action: [
      ['first_aid', 'First aid', 'Premiers secours'],
      ['hospital', 'Taken to hospital', 'Transport à l’hôpital'],
      ['police', 'Police informed', 'Police informée'],
      ['secured', 'Place secured', 'Lieu sécurisé'],
      ['evacuated', 'People evacuated', 'Personnes évacuées'],
      ['none', 'Nothing yet', 'Rien encore'],
    ],
  },
})
