"""Tutorial of `falling_off`: a first turn, rerolling dice, a storm, and the last pawns."""

from __future__ import annotations

from edge_envs.core.interactive.tutorials import Step, Tutorial

TUTORIAL = Tutorial(
    params={"num_players": 2},
    steps=(
        Step(
            "The end of the world",
            "The four pawns with a 0, in the top row, are yours. They stand on the place called start. Far to the "
            "right, beyond space 13, the world ends, and pawns fall into the dark. The first player to lose all four "
            "pawns loses the game. So hang on!",
            marks=("pawn-0-start",),
        ),
        Step(
            "Your turn: three dice",
            "The frame around a row shows whose turn it is, and the line below the rows says what to do. You have "
            "rolled 1, 2 and 4. You may keep these dice or reroll some of them, once. Each button with an arrow shows "
            "which dice it rerolls. These dice are good, as you will see. Click keep.",
            before=("roll 1 2 4",),
            action="keep",
        ),
        Step(
            "A sum names a space",
            "Now add up one, two or all of your dice. The sum names a space; it is not a number of steps! Here you "
            "can make 4, 5 = 1 + 4, 6 = 2 + 4 and 7. Spaces 1 to 3 do not exist. Stay far from the edge: click your "
            "pawns on start, then space 4.",
            action="move start 4",
        ),
        Step(
            "The other player",
            "Player 1 rolled 2, 3 and 5, kept them, and moved a pawn to 5. The two outlines show that move. Each "
            "player has their own row of spaces, so pawns of different players never meet. Several of your own pawns "
            "may share a space.",
            before=("roll 2 3 5", "keep", "move start 5"),
        ),
        Step(
            "Reroll",
            "Many turns later. Pawns move only to higher numbers, never back. The highest sum you can make here is 1 + "
            "1 + 5 = 7, but your lowest pawn is already on 7. None of your pawns could move! Click the button with the "
            "two 1s to reroll those two dice.",
            position={
                "phase": "roll", "dice": [], "turn_player": 0, "turns_owed": 1,
                "pawns": [[7, 8, 9, 11], [6, 7, 9, 12]], "fallen": [],
            },
            before=("roll 1 1 5",),
            action="reroll 1 1",
        ),
        Step(
            "A small move is a good move",
            "Much better: 1 + 2 + 5 = 8. A pawn goes straight to the space that the sum names, from any lower number. "
            "For the pawn on 7 this is a single step. Click the pawn on 7, then space 8.",
            before=("rerolled 1 2",),
            action="move 7 8",
        ),
        Step(
            "Low dice, high pawns",
            "Player 1 has moved from 6 to 8. Now you have rolled 1, 1 and 2. Their sum is 4 at most, and all your "
            "pawns are on higher numbers. Reroll all three dice: click the last button.",
            before=("roll 1 3 5", "keep", "move 6 8", "roll 1 1 2"),
            action="reroll 1 1 2",
        ),
        Step(
            "A storm!",
            "1 + 2 + 2 = 5: still no pawn can move. That is a storm. This turn is lost, and you owe two more turns in "
            "a row. You do not want them, because each turn drives you nearer to the edge! The line below shows how "
            "many turns you owe. Further storms add more.",
            before=("rerolled 1 2 2",),
        ),
        Step(
            "The first of two turns",
            "With 3, 3 and 6 you can make 9 and 12. Each is just one space ahead of one of your pawns. You cannot do "
            "better than that, so click keep.",
            before=("roll 3 3 6",),
            action="keep",
        ),
        Step(
            "You must move",
            "If any sum lets any of your pawns move, you must move. But you choose the pawn and the sum: 8 to 9 and 11 "
            "to 12 are the small moves here. Low pawns keep storms away, because low sums can move them. So leave the "
            "pawns on 8 where they are: click the pawn on 11, then space 12.",
            action="move 11 12",
        ),
        Step(
            "Near the end",
            "Much later you have two pawns left, on 12 and 13, and player 1 has one. You rolled 4, 4 and 6. The sums "
            "4, 6, 8 and 10 are too low for your pawns. Only 4 + 4 + 6 = 14 moves one. Still, that is better than a "
            "storm. Click keep.",
            position={
                "phase": "roll", "dice": [], "turn_player": 0, "turns_owed": 1,
                "pawns": [[12, 13, 14, 14], [13, 14, 14, 14]], "fallen": [],
            },
            before=("roll 4 4 6",),
            action="keep",
        ),
        Step(
            "Over the edge",
            "Every sum of 14 or more leads over the edge, and you must move. So one of your pawns has to go. Click the "
            "pawn on 13, then the dark beyond the edge. Your last pawn stays where it is.",
            action="move 13 off",
        ),
        Step(
            "You have won!",
            "Player 1 rolled 5, 6 and 6, kept them, and had to go over the edge: only 17 could move that last pawn. "
            "You still have one pawn. With more than two players the rule is the same: the first player to lose all "
            "four pawns loses, and all others win.",
            before=("roll 5 6 6", "keep", "move 13 off"),
        ),
    ),
)  # fmt: skip
