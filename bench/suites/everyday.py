"""Eight chats of our own on as many subjects, each in its own manner; no rule is tuned on them.

Each tells eight things that hold to the end and changes four, in words that need not repeat those
of the first telling. Two of the eight only look alike and must both stand.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from bench.suites.measuring import Message
from bench.suites.paraphrased import BUDGETS, Told, row_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """What is told once, what is told and later changed, and what is only talk."""

    name: str
    plain: tuple[Told, ...]
    changed: tuple[tuple[str, Told], ...]
    talk: tuple[str, ...]
    answers: tuple[str, ...] = ("Sure.", "All right.", "Thanks, noted.", "Will do.")


CHATS = (
    Chat(
        name="wedding",
        plain=(
            Told(
                "My sister is allergic to walnuts, so nothing with walnuts on any table.",
                ("walnuts",),
            ),
            Told(
                "The florist is called Bloom & Co and their number is 0171 5550142.",
                ("Bloom & Co", "0171 5550142"),
            ),
            Told(
                "Grandma needs a chair close to the door, she can't stand for long.",
                ("Grandma", "close to the door"),
            ),
            Told(
                "The deposit for the hall was 1,400 and it is not refundable.",
                ("1,400", "refundable"),
            ),
            Told("The band is paid in cash on the evening itself.", ("band", "cash")),
            Told(
                "The photographer is paid by transfer two weeks ahead.",
                ("photographer", "transfer"),
            ),
            Told("Don't tell Marco about the fireworks, it's a surprise.", ("Marco", "fireworks")),
            Told(
                "We have the garden until 23:30, after that the neighbours call the police.",
                ("23:30",),
            ),
        ),
        changed=(
            (
                "We expect 85 guests.",
                Told(
                    "Two families cancelled, so it's 76 guests now.", ("76 guests",), ("85 guests",)
                ),
            ),
            (
                "The ceremony starts at 14:00.",
                Told(
                    "The registrar can only do 15:30, so that's when the ceremony starts.",
                    ("15:30",),
                    ("14:00",),
                ),
            ),
            (
                "Colour of the napkins: sage green.",
                Told("Napkins in dusty rose after all, please.", ("dusty rose",), ("sage green",)),
            ),
            (
                "Tom Wexler does the speech.",
                Told(
                    "Tom got cold feet. Ines Okoye will do the speech instead.",
                    ("Ines Okoye",),
                    ("Tom Wexler",),
                ),
            ),
        ),
        talk=(
            "Honestly I can't believe how fast the summer went.",
            "It rained the whole morning here.",
            "My mother sends her best, by the way.",
            "I watched a film about an octopus last night.",
            "The cat is asleep on the invitations again.",
            "I still have to call the bank, such a bore.",
            "There was a parade downtown and the traffic was awful.",
        ),
    ),
    Chat(
        name="laboratory",
        plain=(
            Told(
                "Samples from freezer 4B are contaminated, leave them out of every analysis.",
                ("4B", "contaminated"),
            ),
            Told("p-values get three decimals, no more.", ("three decimals",)),
            Told(
                "Reagent lot KX-20931 arrived without a certificate.", ("KX-20931", "certificate")
            ),
            Told("Control group: 24 mice. Treated group: 26 mice.", ("24 mice", "26 mice")),
            Told("The ethics vote carries the number 2023/118-R.", ("2023/118-R",)),
            Told("The centrifuge on the left runs at 3,000 rpm at most.", ("3,000 rpm", "left")),
            Told("The centrifuge on the right goes up to 12,000 rpm.", ("12,000 rpm", "right")),
            Told("Nobody but Dr. Halvorsen may unblind the data.", ("Halvorsen", "unblind")),
        ),
        changed=(
            (
                "Incubation is 48 hours.",
                Told(
                    "The protocol was amended: incubate for 72 hours.", ("72 hours",), ("48 hours",)
                ),
            ),
            (
                "The paper goes to the Journal of Applied Enzymology.",
                Told(
                    "The editors declined, we submit to Biocatalysis Letters next.",
                    ("Biocatalysis Letters",),
                    ("Applied Enzymology",),
                ),
            ),
            (
                "We use an alpha of 0.05.",
                Told(
                    "The reviewers insist on a stricter alpha, so 0.01 it is.", ("0.01",), ("0.05",)
                ),
            ),
            (
                "Raw files are on \\\\nas3\\run17.",
                Told(
                    "I moved the raw files, they are on \\\\nas7\\archive17 these days.",
                    ("nas7",),
                    ("nas3",),
                ),
            ),
        ),
        talk=(
            "The seminar on Thursday was packed.",
            "Someone left a sandwich in the cold room.",
            "The new student seems to be settling in nicely.",
            "Parking on campus is a nightmare.",
            "I had three meetings today and all of them ran over.",
            "The printer jammed again.",
            "It smells of acetone in the corridor, nothing unusual.",
        ),
    ),
    Chat(
        name="bakery",
        plain=(
            Told("we close on sundays and on public holidays", ("sundays", "public holidays")),
            Told(
                "the sourdough starter is fed at 5 in the morning, every single day",
                ("starter", "5 in the morning"),
            ),
            Told("supplier for flour is Mühle Rasch, they deliver tuesdays", ("Rasch", "tuesdays")),
            Told(
                "supplier for eggs is Hof Lindner, they deliver thursdays", ("Lindner", "thursdays")
            ),
            Told("a croissant sells for 2.40 and a pain au chocolat for 2.90", ("2.40", "2.90")),
            Told("no plastic bags, paper only", ("paper",)),
            Told(
                "the oven's left door sticks, technician comes on the 14th", ("left door", "14th")
            ),
            Told("orders above 60 pieces need a day's notice", ("60 pieces", "notice")),
        ),
        changed=(
            (
                "wages are paid on the 28th",
                Told(
                    "payday has been moved, staff get their money on the 25th from this month",
                    ("25th",),
                    ("28th",),
                ),
            ),
            (
                "the lease ends in march 2026",
                Told(
                    "good news, the landlord extended the lease until october 2028",
                    ("october 2028",),
                    ("march 2026",),
                ),
            ),
            (
                "our till software is Kassanova",
                Told("we threw Kassanova out, the till software is Tallyho now", ("Tallyho",), ()),
            ),
            (
                "lina opens the shop",
                Told(
                    "lina is on parental leave so rafael opens the shop",
                    ("rafael opens",),
                    ("lina opens",),
                ),
            ),
        ),
        talk=(
            "busy morning today, a whole school class came in",
            "my back is killing me",
            "the weather app said sun, well",
            "somebody paid with a bag of coins again",
            "the radio plays the same five songs",
            "had to chase a pigeon out of the shop",
            "you should have seen the queue",
        ),
        answers=("ok", "got it", "thanks", "noted"),
    ),
    Chat(
        name="campaign of a role-playing game",
        plain=(
            Told(
                "Our party has four members: Brakka, Sil, Tomas and the bard Quill.",
                ("Brakka", "Sil", "Tomas", "Quill"),
            ),
            Told(
                "The duke's seal opens the vault under Greyford, nothing else does.",
                ("seal", "Greyford"),
            ),
            Told("House rule of ours: a natural 1 never kills a character.", ("natural 1",)),
            Told("The northern bridge is guarded by trolls.", ("northern bridge", "trolls")),
            Told("The southern bridge has collapsed.", ("southern bridge", "collapsed")),
            Told("We owe the ferryman 30 silver.", ("ferryman", "30 silver")),
            Told(
                "Keep descriptions of spiders out of it, Jana really can't take them.",
                ("spiders", "Jana"),
            ),
            Told(
                "Sil lost her left eye at the battle of Corran Hill.", ("left eye", "Corran Hill")
            ),
        ),
        changed=(
            (
                "The party is level 5.",
                Told("We levelled up last week, everybody is level 6.", ("level 6",), ("level 5",)),
            ),
            (
                "The king of Estmark is Aldous.",
                Told(
                    "Aldous was poisoned, so his daughter Mirelle rules Estmark.", ("Mirelle",), ()
                ),
            ),
            (
                "We play on Wednesday evenings.",
                Told(
                    "Wednesdays don't work for Tomas any more, our evening is Saturday.",
                    ("Saturday",),
                    (),
                ),
            ),
            (
                "Quill carries 3 healing potions.",
                Told(
                    "After the ambush Quill has 1 healing potion left.",
                    ("1 healing potion",),
                    ("3 healing potions",),
                ),
            ),
        ),
        talk=(
            "I bought new dice, they are gorgeous.",
            "That last session had me laughing for days.",
            "My commute was terrible this morning.",
            "I should read more, honestly.",
            "Someone brought far too many crisps last time.",
            "The painting of the miniatures goes slowly.",
            "I listened to a podcast about medieval cooking.",
        ),
        answers=("Nice.", "Understood.", "Good to know.", "Okay!"),
    ),
    Chat(
        name="clinic",
        plain=(
            Told("Mrs. Adeyemi must not get penicillin.", ("Adeyemi", "penicillin")),
            Told("Room 3 is for minor surgery only.", ("Room 3", "minor surgery")),
            Told("The laboratory picks up blood samples at 11:15.", ("11:15", "blood")),
            Told("The courier picks up X-rays at 16:45.", ("16:45", "X-rays")),
            Told(
                "Prescriptions for opioids have to be signed by two doctors.",
                ("opioids", "two doctors"),
            ),
            Told("Our institution code with the insurers is 7741-903.", ("7741-903",)),
            Told(
                "A missed appointment is charged with 35 euros unless cancelled the day before.",
                ("35 euros", "day before"),
            ),
            Told(
                "Interpreter for Tigrinya: Selam Haile, only mornings.", ("Selam Haile", "mornings")
            ),
        ),
        changed=(
            (
                "Flu shots are given until the end of February.",
                Told(
                    "There is enough vaccine left, flu shots run until mid-April.",
                    ("mid-April",),
                    ("end of February",),
                ),
            ),
            (
                "Dr. Petrosyan is on call at the weekend.",
                Told(
                    "Petrosyan caught the flu himself; Dr. Lindqvist covers the weekend call.",
                    ("Lindqvist",),
                    ("Dr. Petrosyan is",),
                ),
            ),
            (
                "The waiting list has 41 names.",
                Told("Update on the waiting list: 57 names.", ("57 names",), ("41 names",)),
            ),
            (
                "Letters to patients go out in Arial 11.",
                Told(
                    "For readability we want letters in Verdana 12.", ("Verdana 12",), ("Arial 11",)
                ),
            ),
        ),
        talk=(
            "The coffee machine in the staff room is fixed.",
            "A drug rep dropped by with biscuits.",
            "It was quiet until ten and then everyone came at once.",
            "The lift makes that noise again.",
            "I think the plants in the hallway need water.",
            "Somebody parked in the ambulance bay.",
            "The training about hand hygiene took two hours.",
        ),
        answers=("Noted.", "Thank you.", "Okay.", "Understood."),
    ),
    Chat(
        name="moving house",
        plain=(
            Told("The piano goes to my brother, it does not come with us.", ("piano", "brother")),
            Told("Meter reading of the old flat: 48213.", ("48213",)),
            Told("Boxes with a red dot are fragile.", ("red dot", "fragile")),
            Told("Boxes with a blue dot go to the cellar.", ("blue dot", "cellar")),
            Told("The lift of the new building takes 320 kg at most.", ("320 kg",)),
            Told(
                "You mustn't drill into the bathroom wall, the pipes run there.",
                ("drill", "bathroom"),
            ),
            Told("The Wi-Fi contract ends by itself, no need to cancel it.", ("Wi-Fi",)),
            Told("Our new address is 19 Alder Lane, second floor.", ("19 Alder Lane",)),
        ),
        changed=(
            (
                "The movers come on the 3rd.",
                Told("The movers rang: they'll come on the 6th.", ("6th",), ("the 3rd",)),
            ),
            (
                "Rent will be 1,150 a month.",
                Told(
                    "After the talk with the agency the rent is down to 1,080 a month.",
                    ("1,080",),
                    ("1,150",),
                ),
            ),
            (
                "Keys are with Mr. Dunmore.",
                Told(
                    "You'll find the keys at Mrs. Castellano's, he passed them on.",
                    ("Castellano",),
                    ("Dunmore",),
                ),
            ),
            (
                "The living room gets painted in ochre.",
                Told(
                    "Ochre is off the table, we paint the living room pale grey.",
                    ("pale grey",),
                    (),
                ),
            ),
        ),
        talk=(
            "I found my old school diary in a drawer.",
            "The dog knows something is going on.",
            "Packing always takes longer than you think.",
            "We had pizza on the floor, it was fun.",
            "Why do we own four colanders?",
            "My arms hurt from carrying books.",
            "The neighbours downstairs are lovely people.",
        ),
    ),
    Chat(
        name="newsletter",
        plain=(
            Told("Headlines stay under 60 characters.", ("60 characters",)),
            Told("We never name minors, not even by first name.", ("minors",)),
            Told("The list has 18,240 subscribers.", ("18,240",)),
            Told("Sponsor of the spring issue is Hallmoor Cycles.", ("spring issue", "Hallmoor")),
            Told("Sponsor of the autumn issue is Pettigrew Teas.", ("autumn issue", "Pettigrew")),
            Told("Pictures have to be at least 1600 px wide.", ("1600 px",)),
            Told("I like British spelling.", ("British",)),
            Told(
                "The archive is at letters.quillandpost.org/back.",
                ("letters.quillandpost.org/back",),
            ),
        ),
        changed=(
            (
                "It's sent out at 7 am.",
                Told(
                    "Open rates say noon is better, so we send it out at 12 pm.",
                    ("12 pm",),
                    ("7 am",),
                ),
            ),
            (
                "Editor in chief: Noor Bakshi.",
                Told(
                    "Noor has left the paper, Felix Andersson is editor in chief.",
                    ("Felix Andersson",),
                    ("Noor Bakshi",),
                ),
            ),
            (
                "An ad costs 220 pounds.",
                Told("We put prices up, an ad is 260 pounds.", ("260 pounds",), ("220 pounds",)),
            ),
            (
                "I'd like the tone to be formal.",
                Told(
                    "On reflection I'd rather have a chatty, warm tone.", ("chatty",), ("formal",)
                ),
            ),
        ),
        talk=(
            "The intern has a great sense of humour.",
            "I spilled tea over the proofs.",
            "There's a street festival under our window.",
            "I read a lovely piece on lighthouses.",
            "The heating in the office is either off or tropical.",
            "Somebody wrote us a letter in verse.",
            "I might go hiking on my day off.",
        ),
    ),
    Chat(
        name="data centre",
        plain=(
            Told("Rack 12 has no second power feed.", ("Rack 12", "power feed")),
            Told(
                "Firmware below 4.18 bricks the controllers when they are rebooted.",
                ("4.18", "bricks"),
            ),
            Told("The east hall is cooled to 21 degrees.", ("east hall", "21 degrees")),
            Told("The west hall is cooled to 24 degrees.", ("west hall", "24 degrees")),
            Told(
                "Whatever happens, don't touch the switch named core-a2 during the day.",
                ("core-a2",),
            ),
            Told("Vendor contract number is NV/88172.", ("NV/88172",)),
            Told("Visitors need a badge and somebody who walks with them.", ("badge",)),
            Told("The fuel tank lasts 36 hours at full load.", ("36 hours",)),
        ),
        changed=(
            (
                "Monitoring runs at mon01.kestrel.lan.",
                Told(
                    "Monitoring has a new home: mon04.kestrel.lan.",
                    ("mon04.kestrel.lan",),
                    ("mon01.kestrel.lan",),
                ),
            ),
            (
                "The maintenance window is Sunday from 2 to 4.",
                Told(
                    "Operations shifted the maintenance window to Tuesday from 1 to 3.",
                    ("Tuesday from 1 to 3",),
                    ("Sunday from 2 to 4",),
                ),
            ),
            (
                "VLAN 310 carries the storage traffic.",
                Told("Storage traffic has gone over to VLAN 412.", ("VLAN 412",), ("VLAN 310",)),
            ),
            (
                "Greta Fjord holds the master key.",
                Told(
                    "Since yesterday the master key is with Paulo Venn.",
                    ("Paulo Venn",),
                    ("Greta Fjord",),
                ),
            ),
        ),
        talk=(
            "The vending machine swallowed my coin.",
            "We had a nice barbecue on the roof.",
            "Somebody put googly eyes on the UPS.",
            "My shift starts far too early.",
            "The new carpets look better than expected.",
            "There was a long queue at the gate.",
            "I keep forgetting where I parked.",
        ),
    ),
)


def told_in(one: Chat) -> tuple[list[str], list[Told]]:
    """The user's statements in order, and what has to stand at the end."""
    draw = random.Random(one.name)
    early = [each.text for each in one.plain[::2]] + [old for old, _ in one.changed]
    late = [each.text for each in one.plain[1::2]] + [new.text for _, new in one.changed]
    draw.shuffle(early)
    draw.shuffle(late)
    return early + late, [*one.plain, *(new for _, new in one.changed)]


def chat(one: Chat) -> list[Message]:
    """The statements among talk, each with a short word of the agent."""
    draw = random.Random(one.name)
    messages: list[Message] = []
    for said in told_in(one)[0]:
        for text in (*draw.sample(one.talk, 3), said):
            messages += [
                {"role": "user", "content": text},
                {"role": "assistant", "content": draw.choice(one.answers)},
            ]
    return messages


def rows() -> list[dict[str, Any]]:
    """By budget: what survived, and of the updates how many stand without what they replaced."""
    sessions = [(chat(one), told_in(one)[1]) for one in CHATS]
    return [row_of(sessions, budget) for budget in BUDGETS]
