"""Functions of Python over frames and series.

Functions of elements and rows become formulas where they can (`cuprum.core.functions`); what an aggregation stands
for is one; functions of whole columns are called with them.
"""
